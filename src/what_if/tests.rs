//! What the controllers do, one mechanism a test.
