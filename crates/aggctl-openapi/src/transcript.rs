//! What the server makes of a value of a known type: it is read as the server reads it, and
//! written as the server writes it, in one pass and without a tree in between.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::keys::{KINDS, Name, twice};
use super::shape::{Seen, Shape};
use super::write;

/// New references for old ones.
pub(super) type Rename<'o> = &'o dyn Fn(&str) -> Option<String>;

/// How to write.
#[derive(Clone, Copy, Default)]
pub(super) struct How<'o> {
    /// With what is not written though it is not the same as none: for comparing.
    pub(super) with_empty: bool,
    /// Without the kinds of a definition.
    pub(super) without_kinds: bool,
    /// New references for old ones.
    pub(super) rename: Option<Rename<'o>>,
}

/// A value as the server writes it, and what was noticed on the way.
#[derive(Default)]
pub(super) struct Transcript<'a, 'o> {
    how: How<'o>,
    pub(super) out: Vec<u8>,
    /// Every reference that the server follows, as it was.
    pub(super) references: Vec<Cow<'a, str>>,
    /// The first property that protobuf has no place for: the server then has no protobuf at all.
    pub(super) unfit: Option<String>,
    /// Whether there is something that is not written though it is not the same as none.
    pub(super) has_empty: bool,
    /// The members of all objects that are being read.
    members: Vec<Member<'a>>,
    unsorted: Vec<u8>,
}

/// A member, and where it was written: nowhere, if it counts as absent.
struct Member<'a> {
    place: usize,
    name: Cow<'a, str>,
    from: usize,
    to: usize,
}

impl<'a, 'o> Transcript<'a, 'o> {
    pub(super) fn new(how: How<'o>) -> Self {
        Self { how, out: Vec::with_capacity(512), ..Self::default() }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Where it is no JSON, has a name twice, or is nested too deeply.
    pub(super) fn read(&mut self, text: &'a str, shape: Shape) -> Result<(), serde_json::Error> {
        self.take(&mut serde_json::Deserializer::from_str(text), shape)
    }

    /// Reads what comes next.
    ///
    /// # Errors
    /// Where it is no JSON, has a name twice, or is nested too deeply.
    pub(super) fn take<D: Deserializer<'a>>(
        &mut self,
        reader: D,
        shape: Shape,
    ) -> Result<(), D::Error> {
        Read { to: self, shape }.deserialize(reader).map(drop)
    }

    /// A string, which may be a reference.
    fn text(&mut self, text: Cow<'a, str>, shape: Shape) -> Seen {
        let is_empty = text.is_empty();
        let new = (self.how.rename).filter(|_| shape == Shape::Reference).and_then(|r| r(&text));
        match new {
            Some(new) => self.string(&new, false),
            None => self.string(&text, matches!(text, Cow::Borrowed(_))),
        }
        if shape == Shape::Reference && !is_empty {
            self.references.push(text);
        }
        if is_empty { Seen::EmptyText } else { Seen::Other }
    }

    /// Writes a string, which may be one that stood between quotes as it is.
    fn string(&mut self, text: &str, is_plain: bool) {
        match is_plain {
            true => write::plain(text, &mut self.out),
            false => write::string(text, &mut self.out),
        }
    }

    fn close(&mut self, start: usize, brackets: [u8; 2]) -> Seen {
        if write::close(start, brackets, &mut self.out) { Seen::Other } else { Seen::Empty }
    }

    /// Puts the members of an object in order: fields as the server has them, then the rest by
    /// name. A name that is there twice is returned.
    fn sort(&mut self, first: usize, start: usize) -> Result<(), Cow<'a, str>> {
        let members = self.members.get_mut(first..).unwrap_or_default();
        members.sort_by(|a, b| (a.place, &a.name).cmp(&(b.place, &b.name)));
        if let Some([_, again]) = members.windows(2).find(|two| two[0].name == two[1].name) {
            return Err(again.name.clone());
        }
        self.unsorted.clear();
        self.unsorted.extend_from_slice(&self.out[start..]);
        self.out.truncate(start);
        for member in members {
            self.out.extend_from_slice(&self.unsorted[member.from - start..member.to - start]);
        }
        Ok(())
    }
}

/// Reads what comes next.
struct Read<'t, 'a, 'o> {
    to: &'t mut Transcript<'a, 'o>,
    shape: Shape,
}

impl<'a> DeserializeSeed<'a> for Read<'_, 'a, '_> {
    type Value = Seen;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Seen, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for Read<'_, 'a, '_> {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Seen, E> {
        self.to.out.extend(b"null");
        Ok(Seen::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Seen, E> {
        self.to.out.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(if value { Seen::Other } else { Seen::False })
    }

    fn visit_i64<E>(self, value: i64) -> Result<Seen, E> {
        write::integer(value, self.shape == Shape::Integer, &mut self.to.out);
        Ok(Seen::Other)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Seen, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E>(self, value: f64) -> Result<Seen, E> {
        write::float(value, &mut self.to.out);
        Ok(Seen::Other)
    }

    fn visit_borrowed_str<E>(self, value: &'a str) -> Result<Seen, E> {
        Ok(self.to.text(Cow::Borrowed(value), self.shape))
    }

    fn visit_str<E>(self, value: &str) -> Result<Seen, E> {
        Ok(self.to.text(Cow::Owned(value.to_owned()), self.shape))
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut items: A) -> Result<Seen, A::Error> {
        let Read { to, shape } = self;
        let start = to.out.len();
        let mut count = 0_usize;
        loop {
            to.out.push(b',');
            let item = Read { to: &mut *to, shape: shape.inner() };
            if items.next_element_seed(item)?.is_none() {
                to.out.pop();
                break;
            }
            count += 1;
        }
        if shape == Shape::Type && count == 1 {
            to.out.remove(start);
            return Ok(Seen::Other);
        }
        Ok(to.close(start, *b"[]"))
    }

    fn visit_map<A: MapAccess<'a>>(self, mut members: A) -> Result<Seen, A::Error> {
        let Read { to, shape } = self;
        let (first, start) = (to.members.len(), to.out.len());
        let is_type = !shape.fields().is_empty();
        let mut in_order = true;
        while let Some(Name(name)) = members.next_key()? {
            let from = to.out.len();
            to.out.push(b',');
            to.string(&name, matches!(name, Cow::Borrowed(_)));
            to.out.push(b':');
            let field = shape.field(&name);
            let known = field.map(|(_, field)| field.shape).or_else(|| shape.member(&name));
            let inner = known.unwrap_or(Shape::Any);
            let seen = members.next_value_seed(Read { to: &mut *to, shape: inner })?;
            let missing_from_aggregated = field.is_some() && inner.missing_from_aggregated(seen);
            let is_there = match known {
                Some(_) => !inner.is_absent(seen),
                None => shape.keeps(&name),
            };
            to.has_empty |= is_there && missing_from_aggregated;
            let is_kept = is_there
                && (to.how.with_empty || !missing_from_aggregated)
                && !(to.how.without_kinds && start == 0 && name == KINDS);
            let fits = match (field, known) {
                (Some((_, field)), _) => field.protobuf || missing_from_aggregated,
                (None, Some(_)) => true,
                (None, None) => !is_type || is_in_protobuf(&name),
            };
            if is_kept && !fits && to.unfit.is_none() {
                to.unfit = Some(name.to_string());
            }
            if !is_kept {
                to.out.truncate(from);
            }
            let place = field.map_or(usize::MAX, |(place, _)| place);
            if let Some(last) = to.members.get(first..).and_then(<[_]>::last) {
                in_order &= (last.place, &last.name) < (place, &name);
            }
            to.members.push(Member { place, name, from, to: to.out.len() });
        }
        if !in_order {
            to.sort(first, start).map_err(|name| twice::<A::Error>(&name))?;
        }
        to.members.truncate(first);
        Ok(to.close(start, *b"{}"))
    }
}

/// Whether protobuf takes a member that is no field. gnostic knows `xml`, which the server keeps
/// with what it does not know.
fn is_in_protobuf(name: &str) -> bool {
    name.starts_with("x-") || name == "xml"
}
