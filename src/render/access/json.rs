//! The JSON of `access`.

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::AccessTo;
use crate::render::route::GrantJson;
use aggctl_diagnose::access::Holder;

/// Who has access to a request or an APIService. Members of system:masters always have.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct AccessJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_service: Option<&'a str>,
    holders: Vec<HolderJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct HolderJson<'a> {
    /// `send` for a request; `reach`, `change-apiservice`, `change-service`, `change-endpoints`
    /// or `run-pods` for an APIService; `ask-back` and `read-front-proxy` of its own accounts.
    can: &'static str,
    #[serde(flatten)]
    grant: GrantJson<'a>,
}

impl<'a> From<&AccessTo<'a>> for AccessJson<'a> {
    fn from(answer: &AccessTo<'a>) -> Self {
        match answer {
            AccessTo::Request { target, request, grants } => Self {
                method: Some(target.method.as_str()),
                path: Some(&target.path),
                verb: Some(request.verb()),
                api_service: None,
                holders: grants
                    .iter()
                    .map(|grant| HolderJson { can: "send", grant: grant.into() })
                    .collect(),
            },
            AccessTo::ApiService { service, holders } => Self {
                method: None,
                path: None,
                verb: None,
                api_service: Some(&service.name),
                holders: holders.iter().map(HolderJson::from).collect(),
            },
        }
    }
}

impl<'a> From<&Holder<'a>> for HolderJson<'a> {
    fn from(holder: &Holder<'a>) -> Self {
        Self { can: holder.power.as_str(), grant: (&holder.grant).into() }
    }
}
