//! YAML and JSON with places.
