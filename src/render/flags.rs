//! The answer of `flags`: flags of kube-apiserver, and what they change.

use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::table::{Grid, Table};
use super::{Answer, ResponseMeta, TextBuilder, TextOptions, counted, joined, sanitize};
use kube_aggregation::flags::{FlagValue, Shaping};

/// The flags that affect aggregation.
#[derive(Debug)]
pub struct FlagsAnswer<'a> {
    /// The Pods or documents that they were read from.
    pub from: Vec<&'a str>,
    pub found: Vec<Shaping<'a>>,
    /// Whether text lists flags that are not set, too.
    pub all: bool,
    pub meta: ResponseMeta<'a>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FlagsJson<'a> {
    /// The Pods of kube-apiserver, or `/flagz`, that they were read from.
    from: Vec<&'a str>,
    flags: Vec<FlagJson<'a>>,
}

/// One flag of kube-apiserver.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FlagJson<'a> {
    flag: &'static str,
    /// Null if it is not set, or the servers differ.
    value: Option<&'a str>,
    /// The value of each server, if they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differs: Vec<DiffersJson<'a>>,
    changes: &'a str,
    /// Whether it breaks something.
    odd: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DiffersJson<'a> {
    from: &'a str,
    value: Option<&'a str>,
}

impl<'a> From<&'a Shaping<'a>> for FlagJson<'a> {
    fn from(one: &'a Shaping<'a>) -> Self {
        let differs = match &one.value {
            FlagValue::Differs(all) => all.as_slice(),
            FlagValue::Set(_) | FlagValue::Unset => &[],
        };
        let differs = differs.iter().map(|&(from, value)| DiffersJson { from, value });
        Self {
            flag: one.flag,
            value: match one.value {
                FlagValue::Set(value) => Some(value),
                FlagValue::Unset | FlagValue::Differs(_) => None,
            },
            differs: differs.collect(),
            changes: &one.changes,
            odd: one.is_odd,
        }
    }
}

impl Answer for FlagsAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name, Format::Csv, Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        let paint = page.paint;
        let mut sheet = TextBuilder::new(page);
        sheet.hang("from", self.from.join(", "));
        let is_shown = |one: &&Shaping<'_>| self.all || one.is_odd || one.value != FlagValue::Unset;
        for one in self.found.iter().filter(is_shown) {
            let value = match &one.value {
                FlagValue::Set(value) => format!("--{}={}", one.flag, sanitize(value)),
                FlagValue::Unset => format!("--{} is not set", one.flag),
                FlagValue::Differs(_) => format!("--{} differs between API servers", one.flag),
            };
            let mark = if one.is_odd { paint.odd("!") } else { paint.faint(" ") };
            sheet.line(format_args!("{mark} {}", paint.strong(value)));
            if let FlagValue::Differs(all) = &one.value {
                for (from, value) in all {
                    sheet.indented(6, format_args!("{from}: {}", value.unwrap_or("not set")));
                }
            }
            sheet.indented(4, &one.changes);
        }
        let hidden = self.found.iter().filter(|one| !is_shown(one)).count();
        if hidden > 0 {
            let flags = counted(hidden, "flag");
            sheet.line(format_args!("\n{flags} at the default hidden (use --all)."));
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let flags = self.found.iter().map(FlagJson::from).collect();
        self.meta.answer("Flags", FlagsJson { from: self.from.clone(), flags })
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.found.iter().map(|one| self.meta.answer("Flag", FlagJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.found.iter().map(|one| one.flag.to_owned())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        let value = |one: &Shaping<'_>| match &one.value {
            FlagValue::Set(value) => (*value).to_owned(),
            FlagValue::Unset => String::new(),
            FlagValue::Differs(all) => {
                let each = all.iter().map(|(from, value)| match value {
                    Some(value) => format!("{from}: {value}"),
                    None => format!("{from}: not set"),
                });
                joined(each, "; ")
            }
        };
        let table = Table::new(&self.found, options)
            .column("FLAG", |one| one.flag)
            .column("VALUE", value)
            .column("CHANGES", |one| &one.changes);
        Some(table.grid())
    }
}
