//! Who may use the page: tokens, and the names that the server answers to.

use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use subtle::ConstantTimeEq;

/// Where the page is served, and to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Browsers on this machine.
    Loopback,
    /// Browsers anywhere: whoever has the token acts as the user, and without a TLS proxy in
    /// front of it, whoever listens on the way has the token.
    Anywhere {
        /// The token that begins a visit, at least 32 characters.
        token: String,
        /// The values of `Host` that are answered: `desk.example.org`.
        hosts: Vec<String>,
    },
}

/// The shortest token that is allowed for [`Reach::Anywhere`], in characters.
const SHORTEST: usize = 32;

pub(crate) struct Access {
    hosts: Vec<String>,
    /// Begins a visit at any time.
    standing: Option<String>,
    /// Each begins one visit.
    links: Mutex<Vec<String>>,
    /// The content of the cookie, which reads.
    pub cookie: String,
    /// Goes with each write, in a header.
    pub key: String,
    /// Tells this process from others, so that numbers of events are not mixed up.
    pub run: String,
    /// The name of the cookie. Browsers keep the cookies of all ports of a host together.
    pub cookie_name: String,
}

impl Access {
    pub fn new(reach: Reach, bound: SocketAddr) -> io::Result<Access> {
        let port = bound.port();
        let (hosts, standing) = match reach {
            Reach::Loopback => {
                let names = ["127.0.0.1", "localhost", "[::1]"];
                (names.map(|name| format!("{name}:{port}")).into(), None)
            }
            Reach::Anywhere { token, hosts } => (hosts, Some(token)),
        };
        Ok(Access {
            hosts,
            standing,
            links: Mutex::default(),
            cookie: secret()?,
            key: secret()?,
            run: secret()?.chars().take(8).collect(),
            cookie_name: format!("web-desk-{port}"),
        })
    }

    /// Refuses a place to listen that the reach does not allow.
    pub fn check(reach: &Reach, listen: SocketAddr) -> Result<(), String> {
        match reach {
            Reach::Loopback if listen.ip().is_loopback() => Ok(()),
            Reach::Loopback => Err(format!(
                "{listen} can be reached from other machines, and whoever uses the page can do \
                 all that you can: listen on 127.0.0.1, or allow others with a token of your own"
            )),
            Reach::Anywhere { token, hosts } if !hosts.is_empty() => Access::check_token(token),
            Reach::Anywhere { .. } => Err(
                "name the hosts that browsers use for the page, such as desk.example.org:8080: \
                 without them another page could speak to it through a name of its own"
                    .to_owned(),
            ),
        }
    }

    /// Refuses a token that can be guessed.
    pub fn check_token(token: &str) -> Result<(), String> {
        match token.chars().count() {
            SHORTEST.. => Ok(()),
            _ => Err(format!(
                "the token has fewer than {SHORTEST} characters, so it can be guessed: \
                 `openssl rand -hex 32` makes one"
            )),
        }
    }

    pub fn answers_to(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    /// A token for one visit.
    pub fn link(&self) -> io::Result<String> {
        let token = match &self.standing {
            Some(token) => token.clone(),
            None => {
                let token = secret()?;
                self.links().push(token.clone());
                token
            }
        };
        Ok(token)
    }

    /// Whether the token begins a visit. One of a link does so once.
    pub fn begins(&self, token: &str) -> bool {
        if self.standing.as_ref().is_some_and(|own| same(own, token)) {
            return true;
        }
        let mut links = self.links();
        let before = links.len();
        links.retain(|link| !same(link, token));
        links.len() < before
    }

    fn links(&self) -> MutexGuard<'_, Vec<String>> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compares two secrets in a time that does not depend on where they differ.
pub(crate) fn same(own: &str, given: &str) -> bool {
    own.as_bytes().ct_eq(given.as_bytes()).into()
}

/// 32 random bytes, in hexadecimal.
pub(crate) fn secret() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(const_hex::encode(bytes))
}
