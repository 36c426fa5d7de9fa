//! Documents that are not decoded yet, as JSON text or as a tree, and access to their parts.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::lenient::lenient;

/// A document or part of one, not decoded yet: JSON text, or a tree of values from another format.
pub(super) trait Part<'a>: Copy {
    /// Decodes it. An error describes what does not fit, without a location.
    fn decode<T: Deserialize<'a>>(self) -> Result<T, String>;

    /// Returns the members that show what an object is. Returns `None` if this is not an object, or
    /// if its kind is not a string.
    fn envelope(self) -> Option<Envelope<'a, Self>>;

    /// Returns the elements of an array.
    fn items(self) -> Result<Vec<Self>, String>;

    /// Returns whether it is an array.
    fn is_array(self) -> bool;

    /// Returns at least the number of objects in it, including itself.
    fn objects(self) -> usize;

    /// Returns it as JSON text.
    fn to_json(self) -> Cow<'a, str>;
}

/// The members of an object that show what it is, not decoded yet.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", bound(deserialize = "P: Deserialize<'de>"))]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Envelope<'a, P = &'a RawValue> {
    #[serde(borrow, default, deserialize_with = "lenient")]
    pub kind: Cow<'a, str>,
    #[serde(borrow, default, deserialize_with = "lenient")]
    pub api_version: Cow<'a, str>,
    pub items: Option<P>,
    pub groups: Option<P>,
    pub paths: Option<P>,
    pub git_version: Option<P>,
    pub swagger: Option<P>,
    pub openapi: Option<P>,
    pub metadata: Option<P>,
    /// The server's version in the output of `kubectl version`.
    pub server_version: Option<P>,
    /// The server's version in a support bundle of troubleshoot.sh.
    pub info: Option<P>,
}

/// The text of one JSON value.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonText<'a>(pub(super) &'a str);

impl<'de: 'a, 'a> Deserialize<'de> for JsonText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(raw.get()))
    }
}

impl<'a> Part<'a> for JsonText<'a> {
    fn decode<T: Deserialize<'a>>(self) -> Result<T, String> {
        serde_json::from_str(self.0).map_err(|error| {
            let text = error.to_string();
            text.split(" at line").next().unwrap_or_default().to_owned()
        })
    }

    fn envelope(self) -> Option<Envelope<'a, Self>> {
        serde_json::from_str(self.0).ok()
    }

    fn items(self) -> Result<Vec<Self>, String> {
        self.decode()
    }

    fn is_array(self) -> bool {
        self.0.trim_ascii_start().starts_with('[')
    }

    fn objects(self) -> usize {
        self.0.bytes().filter(|byte| *byte == b'{').count()
    }

    fn to_json(self) -> Cow<'a, str> {
        self.0.into()
    }
}

impl<'a> Part<'a> for &'a Value {
    fn decode<T: Deserialize<'a>>(self) -> Result<T, String> {
        T::deserialize(self).map_err(|error| error.to_string())
    }

    fn envelope(self) -> Option<Envelope<'a, Self>> {
        let fields = self.as_object()?;
        let get = |name: &str| fields.get(name).filter(|value| !value.is_null());
        let text = |name: &str| get(name).map_or(Some(""), Value::as_str).map(Cow::Borrowed);
        Some(Envelope {
            kind: text("kind")?,
            api_version: text("apiVersion")?,
            items: get("items"),
            groups: get("groups"),
            paths: get("paths"),
            git_version: get("gitVersion"),
            swagger: get("swagger"),
            openapi: get("openapi"),
            metadata: get("metadata"),
            server_version: get("serverVersion"),
            info: get("info"),
        })
    }

    fn items(self) -> Result<Vec<Self>, String> {
        match self {
            Value::Array(items) => Ok(items.iter().collect()),
            // Not an array: decoding fails with a message.
            _ => self.decode::<Vec<serde::de::IgnoredAny>>().map(|_| vec![]),
        }
    }

    fn is_array(self) -> bool {
        Value::is_array(self)
    }

    fn objects(self) -> usize {
        match self {
            Value::Object(fields) => 1 + fields.values().map(Part::objects).sum::<usize>(),
            Value::Array(items) => items.iter().map(Part::objects).sum(),
            _ => 0,
        }
    }

    fn to_json(self) -> Cow<'a, str> {
        self.to_string().into()
    }
}

#[cfg(test)]
mod tests {
    use crate::ingest::SnapshotBuilder;

    /// The same document gives the same snapshot as text and as a tree of values.
    #[test]
    fn text_and_values_give_the_same_snapshot() {
        for json in [
            r#"{"kind":"List","items":[{"kind":"Service","apiVersion":"v1","metadata":{"name":"s"}}]}"#,
            r#"{"kind":"ServiceList","apiVersion":"v1","metadata":{"continue":"x"},"items":[{}]}"#,
            r#"{"kind":"ServiceList","apiVersion":"v1","items":{}}"#,
            r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"p"}}]}"#,
            r#"{"kind":"APIService","apiVersion":"apiregistration.k8s.io/v1","metadata":{"name":"a"}}"#,
            r#"{"gitVersion":"v1.30.1"}"#,
            r#"{"clientVersion":{},"serverVersion":{"gitVersion":"v1.30.1"}}"#,
            r#"{"paths":["/api","/apis"]}"#,
            r#"{"paths":{"apis/a.io/v1":{"serverRelativeURL":"/x"}}}"#,
            r#"{"paths":{"/apis/a.io/v1":{}}}"#,
            r#"{"openapi":"3.0.0","paths":{"/apis/a.io/v1/":{}}}"#,
            r#"{"swagger":"2.0","paths":{}}"#,
            r#"[{"name":"a.io","versions":[{"groupVersion":"a.io/v1","version":"v1"}],"preferredVersion":{}}]"#,
            r#"{"kind":"APIGroupList","groups":[{"name":"a.io"}]}"#,
            r#"{"kind":["odd"]}"#,
            "5",
        ] {
            let (mut of_text, mut of_value) =
                (SnapshotBuilder::keeping(true, true), SnapshotBuilder::keeping(true, true));
            let text = of_text.add_json("file", json);
            let value = of_value.add_value("file", &serde_json::from_str(json).unwrap());
            assert_eq!(text, value, "{json}");
            assert_eq!(of_text.other_kinds(), of_value.other_kinds(), "{json}");
            let (of_text, of_value) = (of_text.build("x"), of_value.build("x"));
            assert_eq!(format!("{of_text:?}"), format!("{of_value:?}"), "{json}");
        }
    }
}
