//! The output formats. Each answer lists those that it offers.

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Table,
    Wide,
    Json,
    Yaml,
    Kyaml,
    Jsonl,
    Name,
    Csv,
    Sql,
    Markdown,
    Mermaid,
    Dot,
    Svg,
    Sarif,
    Junit,
    Github,
    OpenMetrics,
}

impl Format {
    /// Every format, in the order of the help.
    pub const ALL: [Self; 17] = [
        Self::Table,
        Self::Wide,
        Self::Json,
        Self::Yaml,
        Self::Kyaml,
        Self::Jsonl,
        Self::Name,
        Self::Csv,
        Self::Sql,
        Self::Markdown,
        Self::Mermaid,
        Self::Dot,
        Self::Svg,
        Self::Sarif,
        Self::Junit,
        Self::Github,
        Self::OpenMetrics,
    ];

    /// Returns its name, as it follows `-o`.
    pub fn as_str(self) -> &'static str {
        self.described().0
    }

    /// Returns its description for the help.
    pub fn help(self) -> &'static str {
        self.described().1
    }

    fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Table => ("table", "Table"),
            Self::Wide => ("wide", "Table with extra columns"),
            Self::Json => ("json", "Indented JSON"),
            Self::Yaml => ("yaml", "YAML with the same fields as JSON"),
            Self::Kyaml => ("kyaml", "KYAML with the same fields as JSON"),
            Self::Jsonl => ("jsonl", "One JSON object per line"),
            Self::Name => ("name", "Names only"),
            Self::Csv => ("csv", "Comma-separated values"),
            Self::Sql => ("sql", "SQL statements"),
            Self::Markdown => ("markdown", "Markdown"),
            Self::Mermaid => ("mermaid", "Mermaid flowchart"),
            Self::Dot => ("dot", "Graphviz graph"),
            Self::Svg => ("svg", "SVG picture"),
            Self::Sarif => ("sarif", "SARIF 2.1.0, for code scanning"),
            Self::Junit => ("junit", "JUnit XML, for test reports"),
            Self::Github => ("github", "GitHub Actions annotations"),
            Self::OpenMetrics => ("openmetrics", "OpenMetrics, for Prometheus"),
        }
    }

    /// Returns whether several answers in a row are still a valid file.
    pub fn can_follow_another(self) -> bool {
        !matches!(self, Self::Sarif | Self::Junit | Self::OpenMetrics)
    }

    /// Returns whether several clusters are one answer: a summary with details, or one document.
    pub fn is_one_for_several(self) -> bool {
        matches!(self, Self::Table | Self::Wide | Self::Json | Self::Yaml | Self::Kyaml)
    }

    /// Returns whether it is text for people, laid out for a terminal.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }
}

/// The formats that every answer offers.
pub const COMMON_FORMATS: [Format; 5] =
    [Format::Table, Format::Json, Format::Yaml, Format::Kyaml, Format::Jsonl];
