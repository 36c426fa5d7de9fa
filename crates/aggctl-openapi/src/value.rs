//! One entry of a v2 document: a path, a definition or a parameter.

use std::borrow::Cow;
use std::cell::OnceCell;

use serde::de::{DeserializeSeed, Deserializer};

use super::shape::Shape;
use super::transcript::{How, Transcript};

/// An entry of a document.
#[derive(Debug, Clone)]
pub struct Value<'a> {
    /// The text as the server writes it, plus empty values that the server omits.
    pub(super) text: Cow<'a, str>,
    /// The text as the server writes it, if that differs.
    written: Option<String>,
    /// The references in it.
    pub(super) references: Vec<Cow<'a, str>>,
    /// A property that cannot be encoded in protobuf.
    pub(super) unfit: Option<String>,
}

impl<'a> Value<'a> {
    /// Creates a value from text that the server wrote.
    pub(super) fn served(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), written: None, references: vec![], unfit: None }
    }

    /// Parses a text.
    pub(super) fn read(text: &'a str, shape: Shape) -> Option<Self> {
        shape.deserialize(&mut serde_json::Deserializer::from_str(text)).ok()
    }

    fn of(transcript: Transcript<'a, '_>, shape: Shape) -> Self {
        let Transcript { references, unfit, has_empty, .. } = transcript;
        let text = String::from_utf8(transcript.out).unwrap_or_default();
        let written = has_empty.then(|| written(&text, shape, How::default())).flatten();
        Self { text: Cow::Owned(text), written, references, unfit }
    }

    /// Returns the text as the server writes it.
    pub(super) fn written(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.text)
    }

    /// Returns a function that tests whether the server treats another value as equal. Definitions
    /// are compared without their kinds.
    pub(super) fn same(&self, shape: Shape) -> impl Fn(&Self) -> bool {
        let how = How { with_empty: true, without_kinds: shape == Shape::Schema, rename: None };
        let ours = OnceCell::new();
        move |other| {
            let ours = || ours.get_or_init(|| written(&self.text, shape, how)).as_deref();
            self.text == other.text
                || written(&other.text, shape, how).is_some_and(|other| ours() == Some(&other))
        }
    }

    /// Replaces the text.
    pub(super) fn replace(&mut self, text: &str, shape: Shape) {
        if let Some(Value { text, written, .. }) = Value::read(text, shape) {
            (self.text, self.written) = (Cow::Owned(text.into_owned()), written);
        }
    }

    /// Replaces the references for which `new` returns a name.
    pub(super) fn rename(&mut self, shape: Shape, new: &dyn Fn(&str) -> Option<String>) {
        if !self.references.iter().any(|reference| new(reference).is_some()) {
            return;
        }
        let how = How { with_empty: true, rename: Some(new), ..How::default() };
        let mut transcript = Transcript::new(how);
        if transcript.read(&self.text, shape).is_ok() {
            let Value { text, written, .. } = Value::of(transcript, shape);
            (self.text, self.written) = (Cow::Owned(text.into_owned()), written);
        }
        for reference in &mut self.references {
            if let Some(new) = new(reference) {
                *reference = Cow::Owned(new);
            }
        }
    }
}

/// Parses a value of this type.
impl<'de> DeserializeSeed<'de> for Shape {
    type Value = Value<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value<'de>, D::Error> {
        let how = How { with_empty: true, ..How::default() };
        let mut transcript = Transcript::new(how);
        transcript.take(deserializer, self)?;
        Ok(Value::of(transcript, self))
    }
}

/// Returns what the server writes for a text; `None` if the text is invalid.
pub(super) fn written(text: &str, shape: Shape, how: How<'_>) -> Option<String> {
    let mut transcript = Transcript::new(how);
    transcript.read(text, shape).ok()?;
    String::from_utf8(transcript.out).ok()
}
