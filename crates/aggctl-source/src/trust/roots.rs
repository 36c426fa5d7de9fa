//! Verifies certificate chains against a set of roots.

use std::sync::Arc;

use rustls::client::danger::ServerCertVerifier;
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, Error as TlsError, RootCertStore};

use super::error::CertError;
use super::verifier::{PresentedChain, provider};
use aggctl_certificate::{Bundle, Certificate};

const INVALID_CHAIN: &str = "its certificate chain is not valid";

/// Which certificates a client trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trusted {
    /// Any certificate: nothing is verified.
    Unverified,
    /// Those signed by a bundle.
    Bundle(Bundle),
    /// Those signed by this system's roots, used in place of the roots of the API server's host.
    System,
}

/// The certificates that a client trusts at one point in time.
#[derive(Debug)]
pub(crate) struct Roots {
    /// All valid certificates, which are trusted if a server presents them itself.
    own: Vec<CertificateDer<'static>>,
    /// Verifies chains that end at one of the CAs; `None` without a CA.
    authorities: Option<Arc<WebPkiServerVerifier>>,
}

impl Roots {
    /// Returns the roots that are valid at a time, in seconds since 1970. `None` if there are none,
    /// or if nothing is verified.
    pub(crate) fn of(trusted: &Trusted, seconds: i64) -> Option<Self> {
        match trusted {
            Trusted::Unverified => None,
            Trusted::Bundle(bundle) => {
                let all = bundle.certificates.iter().map(|c| CertificateDer::from(c.der.clone()));
                Self::new(all, seconds)
            }
            Trusted::System => Self::new(rustls_native_certs::load_native_certs().certs, seconds),
        }
    }

    fn new(all: impl IntoIterator<Item = CertificateDer<'static>>, seconds: i64) -> Option<Self> {
        let mut store = RootCertStore::empty();
        let mut own = vec![];
        for der in all {
            let Some(certificate) = Certificate::read(&der) else { continue };
            if certificate.not_valid(seconds).is_some() {
                continue;
            }
            if certificate.may_sign() && certificate.is_for_servers() {
                // A server may still present a certificate that webpki rejects as a CA.
                let _ = store.add(der.clone());
            }
            own.push(der);
        }
        if own.is_empty() {
            return None;
        }
        let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider());
        Some(Self { own, authorities: builder.build().ok() })
    }

    /// Verifies that the presented chain proves the server's name.
    pub(crate) fn verify(&self, shown: &PresentedChain<'_>) -> Result<(), CertError> {
        let PresentedChain { chain, name, now } = *shown;
        let own = chain.first().ok_or(CertError::Unreadable)?;
        let certificate = Certificate::read(own).ok_or(CertError::Unreadable)?;
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if let Some(why) = certificate.not_valid(seconds) {
            return Err(CertError::NotValid { subject: certificate.subject, why });
        }
        let parsed = ParsedCertificate::try_from(own).map_err(|_| CertError::Unreadable)?;
        if verify_server_name(&parsed, name).is_err() {
            let wanted = name.to_str().into_owned();
            return Err(CertError::Name { has: certificate.names, wanted });
        }
        self.verify_issuer(shown)
    }

    /// Verifies that a root signed the presented chain, whatever its name is.
    pub(crate) fn verify_issuer(&self, shown: &PresentedChain<'_>) -> Result<(), CertError> {
        let PresentedChain { chain, name, now } = *shown;
        let (own, others) = chain.split_first().ok_or(CertError::Unreadable)?;
        let certificate = Certificate::read(own).ok_or(CertError::Unreadable)?;
        let seconds = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        if self.own.iter().any(|root| root == own) {
            return if certificate.is_for_servers() { Ok(()) } else { Err(CertError::Purpose) };
        }
        let unknown = || {
            if certificate.is_self_issued() {
                CertError::SelfSigned
            } else {
                CertError::Issuer(certificate.issuer.clone())
            }
        };
        let Some(authorities) = &self.authorities else { return Err(unknown()) };
        let Err(error) = authorities.verify_server_cert(own, others, name, &[], now) else {
            return Ok(());
        };
        let TlsError::InvalidCertificate(error) = error else {
            return Err(CertError::Other(INVALID_CHAIN));
        };
        use CertificateError as E;
        Err(match error {
            E::NotValidForName | E::NotValidForNameContext { .. } => return Ok(()),
            E::UnknownIssuer => unknown(),
            E::BadSignature => CertError::Signature(certificate.issuer.clone()),
            E::Expired
            | E::ExpiredContext { .. }
            | E::NotValidYet
            | E::NotValidYetContext { .. } => CertError::Chain(not_valid_now(others, seconds)),
            E::InvalidPurpose | E::InvalidPurposeContext { .. } => CertError::Purpose,
            E::UnsupportedSignatureAlgorithmContext { .. }
            | E::UnsupportedSignatureAlgorithmForPublicKeyContext { .. } => CertError::Algorithm,
            E::BadEncoding => CertError::Unreadable,
            E::UnhandledCriticalExtension => {
                CertError::Other("it has a critical extension that is not understood")
            }
            // webpki has no named error for a server that presents a CA certificate.
            E::Other(_) if certificate.is_self_issued() => CertError::SelfSigned,
            E::Other(_) if certificate.ca => CertError::Authority,
            _ => CertError::Other(INVALID_CHAIN),
        })
    }
}

/// Describes which certificate between the server's own and its CA is not valid now.
fn not_valid_now(between: &[CertificateDer<'_>], now: i64) -> String {
    let all = between.iter().filter_map(|der| Certificate::read(der));
    all.filter_map(|c| Some(format!("the certificate {} {}", c.subject, c.not_valid(now)?)))
        .next()
        .unwrap_or_else(|| "a certificate between it and its authority is not valid now".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{
        BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    };
    use rustls::pki_types::{ServerName, UnixTime};

    const NOW: i64 = 1_800_000_000;

    fn named(names: &[&str], ca: bool) -> CertificateParams {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, "server");
        params.is_ca =
            if ca { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::ExplicitNoCa };
        params
    }

    fn own(params: &CertificateParams) -> CertificateDer<'static> {
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    fn verified(
        roots: &[&CertificateDer<'static>],
        chain: &[CertificateDer<'static>],
    ) -> Result<(), String> {
        let roots = Roots::new(roots.iter().map(|der| (*der).clone()), NOW).unwrap();
        let name = ServerName::try_from("api.shop.example").unwrap();
        let now = std::time::Duration::from_secs(NOW.unsigned_abs());
        let now = UnixTime::since_unix_epoch(now);
        roots
            .verify(&PresentedChain { chain, name: &name, now })
            .map_err(|error| format!("it {error}"))
    }

    #[test]
    fn a_root_may_be_presented_itself() {
        for ca in [true, false] {
            let good = own(&named(&["*.shop.example", "10.0.0.1"], ca));
            assert_eq!(verified(&[&good], std::slice::from_ref(&good)), Ok(()), "{ca}");
            let twin = own(&named(&["api.shop.example"], ca));
            let refused = verified(&[&twin], &[good]).unwrap_err();
            assert!(refused.starts_with("it is not trusted: "), "{refused}");
            let other = own(&named(&["a", "b", "c", "d", "e", "f"], ca));
            let want = "it is for a, b, c, d, e and 1 more, not for api.shop.example";
            assert_eq!(verified(&[&other], std::slice::from_ref(&other)), Err(want.to_owned()));
        }
        let mut client = named(&["api.shop.example"], false);
        client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let client = own(&client);
        let want = "it is not a server certificate";
        assert_eq!(verified(&[&client], std::slice::from_ref(&client)), Err(want.to_owned()));
    }

    fn root(ca: bool) -> CertificateParams {
        let mut root = named(&["root.example"], ca);
        root.distinguished_name.push(DnType::CommonName, "the root");
        root
    }

    /// Returns a CA certificate and a server certificate that it signed.
    fn signed(
        root: CertificateParams,
        change: impl FnOnce(&mut CertificateParams),
    ) -> [CertificateDer<'static>; 2] {
        let key = KeyPair::generate().unwrap();
        let der = root.self_signed(&key).unwrap().der().clone();
        let mut leaf = named(&["api.shop.example"], false);
        change(&mut leaf);
        let issuer = Issuer::new(root, key);
        let leaf = leaf.signed_by(&KeyPair::generate().unwrap(), &issuer).unwrap().der().clone();
        [der, leaf]
    }

    #[test]
    fn every_error_is_described() {
        let check = |by_ca: bool, change: &dyn Fn(&mut CertificateParams), want: &str| {
            let [root, leaf] = signed(root(by_ca), change);
            let got = verified(&[&root], &[leaf]).err().unwrap_or_default();
            assert_eq!(got, want);
        };
        check(true, &|_| {}, "");
        check(
            false,
            &|_| {},
            "it is not trusted: it is signed by an unknown authority (CN=the root)",
        );
        let old =
            |params: &mut CertificateParams| params.not_after = rcgen::date_time_ymd(2001, 1, 1);
        check(true, &old, "it has expired on 2001-01-01");
        let new =
            |params: &mut CertificateParams| params.not_before = rcgen::date_time_ymd(2900, 1, 1);
        check(true, &new, "it is not valid before 2900-01-01");
        let client = |params: &mut CertificateParams| {
            params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        };
        check(true, &client, "it is not a server certificate");
        let authority = |params: &mut CertificateParams| {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        };
        let want = "it is not trusted: it is a CA certificate signed by another CA";
        check(true, &authority, want);
        let nameless = |params: &mut CertificateParams| params.subject_alt_names.clear();
        check(true, &nameless, "it is for no name at all, not for api.shop.example");
        let [_, leaf] = signed(root(true), |_| {});
        let [twin, _] = signed(root(true), |_| {});
        let refused = verified(&[&twin], &[leaf]).unwrap_err();
        assert!(refused.contains("CN=the root"), "{refused}");
        assert_eq!(verified(&[&twin], &[]), Err("it cannot be read".to_owned()));
        let lone = own(&named(&["api.shop.example"], false));
        let want = "it is not trusted: it is self-signed";
        assert_eq!(verified(&[&twin], &[lone]), Err(want.to_owned()));
    }

    #[test]
    fn a_root_for_clients_is_not_one_for_servers() {
        let mut root = root(true);
        root.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let [root, leaf] = signed(root, |_| {});
        assert!(verified(&[&root], &[leaf]).is_err());
    }

    #[test]
    fn invalid_roots_are_ignored() {
        let mut old = named(&["api.shop.example"], true);
        old.not_after = rcgen::date_time_ymd(2001, 1, 1);
        assert!(Roots::new([own(&old)], NOW).is_none());
        assert!(Roots::new([CertificateDer::from(vec![0; 9])], NOW).is_none());
    }
}
