//! Whether a chain of certificates is believed, by the rules of Go: those of kubectl and of the
//! API server.
//!
//! The work is webpki's. What Go does otherwise is done here: a certificate that is itself among
//! the roots needs no other proof, be it a CA's or not; a root has to be valid too; a root that is
//! no CA's vouches for nobody but itself, and one that is meant for something else for no server.
//! Where webpki is stricter (RSA keys below 2048 bits, a CA's certificate signed by another CA) or
//! laxer (the path length of a root) than Go, that is left so.

use std::fmt;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WantsClientCert, WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{
    CertificateError, ClientConfig, ConfigBuilder, DigitallySignedStruct, Error as TlsError,
    OtherError, RootCertStore, SignatureScheme,
};

use aggctl_certificate::{Bundle, Certificate};

const INVALID_CHAIN: &str = "its certificate chain is not valid";

/// How many names of a certificate are told.
const MOST_NAMES: usize = 5;

/// The cryptography that everything here uses.
pub(super) fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// Whom a client trusts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trusted {
    /// Whoever answers.
    Anybody,
    /// The authorities of a bundle.
    Bundle(Bundle),
    /// The authorities of the system. Those of this one stand for the API server's.
    System,
}

/// Why a certificate is not believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CertError {
    /// It cannot be read.
    Unreadable,
    /// It, of this subject, is not valid now, for this reason.
    NotValid { subject: String, why: String },
    /// It is for these names, and not for the one that counts.
    Name { has: Vec<String>, wanted: String },
    /// Nobody vouches for it but itself.
    SelfSigned,
    /// This one vouches for it, who is not known.
    Issuer(String),
    /// Somebody of this name is known, but the signature does not hold.
    Signature(String),
    /// Another one of its chain, this, has expired or is not valid yet.
    Chain(String),
    /// It is not meant for servers.
    Purpose,
    /// It is the certificate of an authority, signed by another one.
    Authority,
    /// It is signed in a way that is not understood, or no longer thought to be safe.
    Algorithm,
    /// Something else, in words.
    Other(&'static str),
}

impl CertError {
    /// What a user who trusts the server all the same can do.
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Name { .. } => Some("--tls-server-name names what the certificate is for"),
            Self::SelfSigned
            | Self::Issuer(_)
            | Self::Signature(_)
            | Self::Chain(_)
            | Self::Authority
            | Self::Other(_) => Some("name its authority with --certificate-authority"),
            Self::Unreadable | Self::NotValid { .. } | Self::Purpose | Self::Algorithm => None,
        }
    }

    /// The names that a certificate is for, as a phrase.
    fn names(has: &[String]) -> String {
        match has {
            [] => "no name at all".to_owned(),
            some if some.len() <= MOST_NAMES => some.join(", "),
            many => {
                let some: Vec<&str> = many.iter().take(MOST_NAMES).map(String::as_str).collect();
                format!("{} and {} more", some.join(", "), many.len() - MOST_NAMES)
            }
        }
    }
}

/// For a sentence that begins with the certificate.
impl fmt::Display for CertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("cannot be read"),
            Self::NotValid { why, .. } => f.write_str(why),
            Self::Name { has, wanted } => {
                write!(f, "is for {}, not for {wanted}", Self::names(has))
            }
            Self::SelfSigned => f.write_str("is not trusted: it is self-signed"),
            Self::Issuer(issuer) => {
                write!(f, "is not trusted: it is signed by an unknown authority ({issuer})")
            }
            Self::Signature(issuer) => write!(
                f,
                "is not trusted: it says that {issuer} signed it, but the key known of that name did not, or is too short"
            ),
            Self::Chain(which) => write!(f, "is not trusted: {which}"),
            Self::Purpose => f.write_str("is not meant for servers"),
            Self::Authority => {
                f.write_str("is not trusted: it is an authority's own, signed by another one")
            }
            Self::Algorithm => f.write_str("is signed in a way that is not supported"),
            Self::Other(why) => write!(f, "is not trusted: {why}"),
        }
    }
}

impl std::error::Error for CertError {}

/// The certificates that others are measured by.
#[derive(Debug)]
pub(super) struct Roots {
    /// All that are valid now, for being what is shown.
    own: Vec<CertificateDer<'static>>,
    /// Those of authorities; none where there is none.
    authorities: Option<Arc<WebPkiServerVerifier>>,
}

impl Roots {
    /// What somebody trusts at a time, in seconds since 1970; none where nothing is valid then, or
    /// everybody is believed.
    pub(super) fn of(trusted: &Trusted, seconds: i64) -> Option<Self> {
        match trusted {
            Trusted::Anybody => None,
            Trusted::Bundle(bundle) => {
                let all = bundle.certificates.iter().map(|c| CertificateDer::from(c.der.clone()));
                Self::new(all, seconds)
            }
            Trusted::System => Self::new(rustls_native_certs::load_native_certs().certs, seconds),
        }
    }

    /// Takes those certificates that can be read and are valid at a time; none where none is.
    fn new(all: impl IntoIterator<Item = CertificateDer<'static>>, seconds: i64) -> Option<Self> {
        let mut store = RootCertStore::empty();
        let mut own = vec![];
        for der in all {
            let Some(certificate) = Certificate::read(&der) else { continue };
            if certificate.not_valid(seconds).is_some() {
                continue;
            }
            if certificate.may_sign() && certificate.is_for_servers() {
                // One that webpki cannot read as an authority's can still be shown.
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

    /// Whether a chain, the server's own certificate first, proves a name.
    pub(super) fn judge(&self, shown: &PresentedChain<'_>) -> Result<(), CertError> {
        let PresentedChain { chain, name, now } = *shown;
        let (own, others) = chain.split_first().ok_or(CertError::Unreadable)?;
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
            // What webpki says of a server that shows an authority's certificate has no name.
            E::Other(_) if certificate.is_self_issued() => CertError::SelfSigned,
            E::Other(_) if certificate.ca => CertError::Authority,
            _ => CertError::Other(INVALID_CHAIN),
        })
    }
}

/// Which of the certificates between a server's own and its authority is not valid now.
fn not_valid_now(between: &[CertificateDer<'_>], now: i64) -> String {
    let all = between.iter().filter_map(|der| Certificate::read(der));
    all.filter_map(|c| Some(format!("the certificate {} {}", c.subject, c.not_valid(now)?)))
        .next()
        .unwrap_or_else(|| "a certificate between it and its authority is not valid now".to_owned())
}

/// What somebody who is shown a chain thinks of it.
pub(super) trait ChainVerifier: fmt::Debug + Send + Sync {
    fn judge(&self, shown: &PresentedChain<'_>) -> Result<(), CertError>;
}

/// What a server shows to prove who it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct PresentedChain<'a> {
    /// Its own certificate comes first.
    pub chain: &'a [CertificateDer<'a>],
    /// The name that it is called by.
    pub name: &'a ServerName<'a>,
    pub now: UnixTime,
}

/// A judge, in the form that rustls wants one. That the server has the key of the certificate is
/// always verified.
#[derive(Debug)]
struct Verifier<J> {
    judge: J,
    provider: Arc<CryptoProvider>,
}

/// The settings of a client that believes what a judge does; whom it says to be is still open.
pub(super) fn client(
    judge: impl ChainVerifier + 'static,
) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, String> {
    let builder = ClientConfig::builder_with_provider(provider());
    let builder = builder
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?;
    let verifier = Verifier { judge, provider: provider() };
    Ok(builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier)))
}

impl<J: ChainVerifier> ServerCertVerifier for Verifier<J> {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        let chain: Vec<_> = std::iter::once(end_entity).chain(intermediates).cloned().collect();
        match self.judge.judge(&PresentedChain { chain: &chain, name: server_name, now }) {
            Ok(()) => Ok(ServerCertVerified::assertion()),
            Err(doubt) => Err(CertificateError::Other(OtherError(Arc::new(doubt))).into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{
        BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    };

    const NOW: i64 = 1_800_000_000;

    fn named(names: &[&str], ca: bool) -> CertificateParams {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, "somebody");
        params.is_ca =
            if ca { IsCa::Ca(BasicConstraints::Unconstrained) } else { IsCa::ExplicitNoCa };
        params
    }

    fn own(params: &CertificateParams) -> CertificateDer<'static> {
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    fn judged(
        roots: &[&CertificateDer<'static>],
        chain: &[CertificateDer<'static>],
    ) -> Result<(), String> {
        let roots = Roots::new(roots.iter().map(|der| (*der).clone()), NOW).unwrap();
        let name = ServerName::try_from("api.shop.example").unwrap();
        let now = std::time::Duration::from_secs(NOW.unsigned_abs());
        let now = UnixTime::since_unix_epoch(now);
        roots
            .judge(&PresentedChain { chain, name: &name, now })
            .map_err(|doubt| format!("it {doubt}"))
    }

    #[test]
    fn what_is_a_root_itself_needs_no_other() {
        for ca in [true, false] {
            let good = own(&named(&["*.shop.example", "10.0.0.1"], ca));
            assert_eq!(judged(&[&good], std::slice::from_ref(&good)), Ok(()), "{ca}");
            let twin = own(&named(&["api.shop.example"], ca));
            let refused = judged(&[&twin], &[good]).unwrap_err();
            assert!(refused.starts_with("it is not trusted: "), "{refused}");
            let other = own(&named(&["a", "b", "c", "d", "e", "f"], ca));
            let want = "it is for a, b, c, d, e and 1 more, not for api.shop.example";
            assert_eq!(judged(&[&other], std::slice::from_ref(&other)), Err(want.to_owned()));
        }
        let mut client = named(&["api.shop.example"], false);
        client.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let client = own(&client);
        let want = "it is not meant for servers";
        assert_eq!(judged(&[&client], std::slice::from_ref(&client)), Err(want.to_owned()));
    }

    fn root(ca: bool) -> CertificateParams {
        let mut root = named(&["root.example"], ca);
        root.distinguished_name.push(DnType::CommonName, "the root");
        root
    }

    /// A certificate for servers, and the one that signed it.
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
    fn every_doubt_has_its_words() {
        let check = |by_ca: bool, change: &dyn Fn(&mut CertificateParams), want: &str| {
            let [root, leaf] = signed(root(by_ca), change);
            let got = judged(&[&root], &[leaf]).err().unwrap_or_default();
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
        check(true, &client, "it is not meant for servers");
        let authority = |params: &mut CertificateParams| {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        };
        let want = "it is not trusted: it is an authority's own, signed by another one";
        check(true, &authority, want);
        let nameless = |params: &mut CertificateParams| params.subject_alt_names.clear();
        check(true, &nameless, "it is for no name at all, not for api.shop.example");
        let [_, leaf] = signed(root(true), |_| {});
        let [twin, _] = signed(root(true), |_| {});
        let refused = judged(&[&twin], &[leaf]).unwrap_err();
        assert!(refused.contains("CN=the root"), "{refused}");
        assert_eq!(judged(&[&twin], &[]), Err("it cannot be read".to_owned()));
        let lone = own(&named(&["api.shop.example"], false));
        let want = "it is not trusted: it is self-signed";
        assert_eq!(judged(&[&twin], &[lone]), Err(want.to_owned()));
    }

    #[test]
    fn a_root_for_clients_vouches_for_no_server() {
        let mut root = root(true);
        root.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        let [root, leaf] = signed(root, |_| {});
        assert!(judged(&[&root], &[leaf]).is_err());
    }

    #[test]
    fn roots_that_are_not_valid_are_none() {
        let mut old = named(&["api.shop.example"], true);
        old.not_after = rcgen::date_time_ymd(2001, 1, 1);
        assert!(Roots::new([own(&old)], NOW).is_none());
        assert!(Roots::new([CertificateDer::from(vec![0; 9])], NOW).is_none());
    }
}
