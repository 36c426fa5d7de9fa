//! Words the recommended actions.

use std::fmt::{self, Display, Formatter};

use super::super::diagnosis::Action;

impl Display for Action<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RestoreService => {
                "Reinstall the component, or point the APIService at the right Service."
            }
            Self::DeleteIfRemovedForGood => {
                "If the component is gone for good, delete the APIService. This removes only the registration, no data."
            }
            Self::MatchOnlyPort(port) => {
                return write!(f, "Set spec.service.port to {port}, the only port of the Service.");
            }
            Self::MatchPorts => {
                "Set spec.service.port of the APIService to a port of the Service."
            }
            Self::MatchPortNames => {
                "Use the same port name in the Service and in its EndpointSlices."
            }
            Self::CheckPods => "Find out why no Pod of the Service is ready.",
            Self::FindEndpointWriter(kind) => {
                return write!(
                    f,
                    "The Service has no selector, so a user or a controller writes its {kind}. Find out which."
                );
            }
            Self::CreateEndpoints(kind) => {
                return write!(
                    f,
                    "The Service has no selector, so Kubernetes creates no {kind} for it. Add a selector that matches its Pods, or create the {kind}."
                );
            }
            Self::FixExternalName(name, port) => {
                return write!(
                    f,
                    "Make a server listen on {name}:{port}, as seen from the API server's host, or correct spec.externalName of the Service."
                );
            }
            Self::FixDiscovery(gv) => {
                return write!(
                    f,
                    "Correct the extension API server: GET /apis must return a discovery document that lists {gv}, or 404, and GET {} must list its resources.",
                    gv.root_path()
                );
            }
            Self::InspectService => "Show the Service and its endpoints.",
            Self::InspectAnswer => "Find out what responds at this address: not an API server, or a broken one.",
            Self::FixBundle => {
                "Make spec.caBundle match the served certificate: signing CA, name and dates."
            }
            Self::ReadLogs => "Read the logs of the extension API server.",
            Self::FindHang => {
                "The extension API server accepts connections but does not respond. Find out whether it hangs, is overloaded, or waits for something else. The network is not the cause."
            }
            Self::FromEntry(advice) => advice,
            Self::ConfigureFrontProxy => {
                "Set --requestheader-client-ca-file and --requestheader-*-headers of kube-apiserver, or renew the front-proxy CA and its client certificate. Then restart the extension API servers, which cache them."
            }
            Self::CompareDiscovery(gv) => {
                return write!(
                    f,
                    "Compare the extension API server's responses to kube-aggregator's two discovery requests, GET /apis and GET {}. Only the second can be sent through kube-apiserver.",
                    gv.root_path()
                );
            }
            Self::ConnectDirectly => {
                "From inside the cluster's network, connect to the backend directly."
            }
            Self::LookAgain => "Check again; the API server re-checks every 30 s.",
            Self::CompareWithCrds => {
                "If the CRDs should serve this group version, delete the APIService."
            }
            Self::RenewCa(fact) => return write!(f, "Renew the CA in time: {fact}."),
            Self::BindRoles => {
                "Bind the roles that every extension API server needs to the account of its Pods."
            }
            Self::DeleteOrInstallCrds => {
                "Install its CRDs, or delete the APIService if nothing should serve it."
            }
            Self::RenameCrd(name) => {
                return write!(
                    f,
                    "Give CRD {name} other names, or remove the CRD that has them if nothing uses it. Deleting a CRD deletes its objects."
                );
            }
            Self::FinishCrdDeletion(name) => {
                return write!(f, "Find out what blocks the deletion of CRD {name}.");
            }
            Self::EstablishCrd(name) => {
                return write!(f, "Find out why CRD {name} is not established.");
            }
        })
    }
}
