//! The secrets that prove to a server who calls.

use super::Api;
use super::model::{HttpOperation, ParameterLocation, Scheme, SchemeKind};
use super::secret_parameters::fitting;
use crate::keyring;
use crate::secrets::Secrets;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// The scheme for documents that describe none: an optional token.
const TOKEN: &str = "token";

/// The secrets for the schemes of an API. `Debug` output does not have them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Credentials {
    /// By the name of the scheme.
    found: Vec<(String, Secret)>,
    /// The variables that can hold them.
    variables: Vec<String>,
}

/// A variable of the environment that can hold the secret of a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name of the scheme in the document.
    pub scheme: String,
    /// The name of the variable: `PETS_API_KEY`.
    pub name: String,
    /// Its content, for people: `a token`.
    pub holds: &'static str,
}

/// A text that `Debug` output does not show.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(String);

impl Secret {
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A secret in its place in a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proof {
    Header(String, Secret),
    Query(String, Secret),
    Cookie(String, Secret),
}

impl Credentials {
    /// The variables of the environment that can hold secrets, for sentences.
    pub(super) fn names(&self) -> Option<String> {
        (!self.variables.is_empty()).then(|| self.variables.join(" or "))
    }

    /// No secrets, for public servers.
    pub fn none() -> Self {
        Credentials::default()
    }

    /// The secrets of the names of [variables](Self::variables). `lookup` finds the secret of
    /// a name, in the environment or elsewhere.
    pub fn of(api: &Api, prefix: Option<&str>, lookup: &dyn Fn(&str) -> Option<String>) -> Self {
        let variables = Credentials::variables(api, prefix);
        let names = variables.iter().map(|it| it.name.clone()).collect();
        let found = variables.into_iter().filter_map(|variable| {
            let secret = lookup(&variable.name)?.trim().to_owned();
            (!secret.is_empty()).then_some((variable.scheme, Secret(secret)))
        });
        Credentials {
            found: found.collect(),
            variables: names,
        }
    }

    /// The variables that hold the secrets of an API: the prefix, if there is one, and the
    /// name of the scheme in upper case. `prefix` is the name of the domain. Without it, a
    /// document could name any variable of the environment, and its value would be sent to
    /// the server. Leave it out only for your own documents.
    ///
    /// A document without schemes has one variable, for a token: `PREFIX_TOKEN`.
    pub fn variables(api: &Api, prefix: Option<&str>) -> Vec<Variable> {
        let variable = |scheme: &str, holds| Variable {
            scheme: scheme.to_owned(),
            name: match prefix {
                Some(prefix) => spelt(&format!("{prefix}_{scheme}")),
                None => spelt(scheme),
            },
            holds,
        };
        let known = |scheme: &Scheme| {
            let holds = match scheme.kind {
                SchemeKind::Header(_) | SchemeKind::Query(_) | SchemeKind::Cookie(_) => "a key",
                SchemeKind::Basic => "USER:PASSWORD",
                SchemeKind::Bearer => "a token",
                SchemeKind::Unknown(_) => return None,
            };
            Some(variable(&scheme.name, holds))
        };
        let mut variables: Vec<Variable> = match (api.schemes.is_empty(), prefix) {
            (true, Some(_)) => vec![variable(TOKEN, "a token")],
            _ => api.schemes.iter().filter_map(known).collect(),
        };
        for operation in &api.operations {
            for (_, wire) in &operation.secrets {
                let own = variable(wire, "a token");
                let is_known = variables.iter().any(|it| it.name == own.name);
                if fitting(api, operation, wire).next().is_none() && !is_known {
                    variables.push(own);
                }
            }
        }
        variables
    }

    /// Whether there are no secrets.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Tells these secrets from others and does not give them away; none if there are none.
    pub fn fingerprint(&self) -> Option<String> {
        let named = |(scheme, secret): &(String, Secret)| format!("{scheme}={}", secret.expose());
        let mut found: Vec<String> = self.found.iter().map(named).collect();
        // The order of the document says nothing of who calls.
        found.sort();
        (!found.is_empty()).then(|| keyring::fingerprint(&found.join("\0")))
    }

    /// All secrets, and the parts of pairs. None may be in any output.
    pub(super) fn secrets(&self) -> Secrets {
        Secrets::of(self.found.iter().flat_map(|(_, it)| parts(it.expose())))
    }

    /// The secrets for a request of this operation: those of its schemes, and those in the place
    /// of its parameters.
    pub(super) fn proofs(&self, api: &Api, operation: &HttpOperation) -> Vec<Proof> {
        let mut proofs = self.of_schemes(api, operation);
        for (place, wire) in &operation.secrets {
            let schemes = fitting(api, operation, wire).map(|it| it.name.as_str());
            let mut names = schemes.chain([wire.as_str()]);
            let Some(secret) = names.find_map(|name| self.secret(name)) else {
                continue;
            };
            let (name, secret) = (wire.clone(), secret.clone());
            let proof = match place {
                ParameterLocation::Query => Proof::Query(name, secret),
                ParameterLocation::Cookie => Proof::Cookie(name, secret),
                ParameterLocation::Path | ParameterLocation::Header | ParameterLocation::Body => {
                    Proof::Header(name, secret)
                }
            };
            if !proofs.contains(&proof) {
                proofs.push(proof);
            }
        }
        proofs
    }

    fn of_schemes(&self, api: &Api, operation: &HttpOperation) -> Vec<Proof> {
        if api.schemes.is_empty() {
            let token = self.secret(TOKEN).map(bearer);
            return token.into_iter().collect();
        }
        if operation.security.is_empty() {
            // Some documents describe schemes and do not say where they are needed.
            let is_silent = api.operations.iter().all(|it| it.security.is_empty());
            let mut schemes = api.schemes.iter().filter(|_| is_silent);
            let first = schemes.find_map(|scheme| self.proof(scheme));
            return first.into_iter().collect();
        }
        let complete = |names: &Vec<String>| {
            let proofs = names.iter().map(|name| {
                let scheme = api.schemes.iter().find(|scheme| scheme.name == *name)?;
                self.proof(scheme)
            });
            proofs
                .collect::<Option<Vec<Proof>>>()
                .filter(|it| !it.is_empty())
        };
        operation
            .security
            .iter()
            .find_map(complete)
            .unwrap_or_default()
    }

    fn secret(&self, scheme: &str) -> Option<&Secret> {
        let found = self.found.iter().find(|(name, _)| name == scheme);
        found.map(|(_, secret)| secret)
    }

    fn proof(&self, scheme: &Scheme) -> Option<Proof> {
        let secret = self.secret(&scheme.name)?.clone();
        Some(match &scheme.kind {
            SchemeKind::Header(name) => Proof::Header(name.clone(), secret),
            SchemeKind::Query(name) => Proof::Query(name.clone(), secret),
            SchemeKind::Cookie(name) => Proof::Cookie(name.clone(), secret),
            SchemeKind::Bearer => bearer(&secret),
            SchemeKind::Basic => {
                let pair = STANDARD.encode(secret.expose());
                let basic = Secret(format!("Basic {pair}"));
                Proof::Header("Authorization".to_owned(), basic)
            }
            SchemeKind::Unknown(_) => return None,
        })
    }
}

/// A secret, and what it is made of: the token after `Bearer`, the name and the password of a
/// pair. A short name is no secret; where there is no password, the name is one.
fn parts(secret: &str) -> Vec<&str> {
    const SHORT: usize = 8;
    let token = bare(secret);
    let mut parts = vec![secret, token];
    if let Some((user, password)) = token.split_once(':') {
        parts.push(password);
        if password.is_empty() || user.len() >= SHORT {
            parts.push(user);
        }
    }
    parts
}

/// A token without the word that stands before it in a header.
fn bare(secret: &str) -> &str {
    secret.strip_prefix("Bearer ").unwrap_or(secret)
}

fn bearer(secret: &Secret) -> Proof {
    let token = bare(secret.expose());
    let header = Secret(format!("Bearer {token}"));
    Proof::Header("Authorization".to_owned(), header)
}

/// A name in the spelling of environment variables.
fn spelt(name: &str) -> String {
    let mut spelt = String::new();
    for character in name.chars() {
        match character.is_ascii_alphanumeric() {
            true => spelt.push(character.to_ascii_uppercase()),
            false if spelt.ends_with('_') => {}
            false => spelt.push('_'),
        }
    }
    let spelt = spelt.trim_matches('_');
    match spelt.starts_with(|c: char| c.is_ascii_digit()) || spelt.is_empty() {
        true => format!("API_{spelt}"),
        false => spelt.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_told_apart_and_not_given_away() {
        let of = |found: &[(&str, &str)]| {
            let found = found.iter();
            let found = found.map(|(scheme, secret)| {
                let secret = Secret((*secret).to_owned());
                ((*scheme).to_owned(), secret)
            });
            let credentials = Credentials {
                found: found.collect(),
                ..Credentials::none()
            };
            credentials.fingerprint()
        };
        assert_eq!(Credentials::none().fingerprint(), None);
        let (test, live) = (of(&[("token", "sk-test")]), of(&[("token", "sk-live")]));
        assert_eq!(test.as_deref().map(str::len), Some(8));
        assert_ne!(test, live);
        let (one, other) = (("user", "a:b"), ("token", "sk-test"));
        assert_eq!(of(&[one, other]), of(&[other, one]));
        assert_ne!(of(&[one, other]), test);
    }
}
