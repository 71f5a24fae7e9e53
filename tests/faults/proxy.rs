//! A proxy on loopback between a world and its server that breaks exchanges.

use crate::faults::http::{Request, Response};
use crate::faults::waiting::{NUMBER, Waiting};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is broken in an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The answer is 500 InternalError; the server was not asked.
    Internal,
    /// The answer is 503 SlowDown; the server was not asked.
    SlowDown,
    /// The server did it, and the answer is 500 InternalError.
    Liar,
    /// The connection is reset before the request arrives.
    ResetBefore,
    /// The connection is reset after the request arrived.
    ResetAfter,
    /// Half of the request arrives, and then the connection is reset.
    HalfRequest,
    /// Half of the answer comes back, and then the connection ends.
    HalfAnswer,
    /// The request does not arrive, and nothing comes back.
    SilenceBefore,
    /// The request arrives, and nothing comes back.
    SilenceAfter,
    /// Nothing comes back; the request arrives when it was given up: just before the next
    /// write, or just after it.
    Late,
    /// The answer comes back byte by byte.
    Drip,
}

impl Fault {
    /// Whether the server may have done what it was asked.
    pub fn arrives(self) -> bool {
        use Fault::{Drip, HalfAnswer, Late, Liar, ResetAfter, SilenceAfter};
        matches!(
            self,
            Liar | ResetAfter | HalfAnswer | SilenceAfter | Late | Drip
        )
    }
}

/// A request, as rules see it.
pub struct Asked {
    /// The number of the write that the journal said last is about to be made.
    pub number: Option<usize>,
    pub writes: bool,
    /// How many requests of the same kind with this number came before.
    pub before: usize,
    /// Whether the same request was broken when it was made last.
    pub was_broken: bool,
}

/// Says what is broken.
pub type Rule = Box<dyn FnMut(&Asked) -> Option<Fault> + Send>;

/// The running proxy; it ends with the test's runtime.
#[derive(Clone)]
pub struct Proxy {
    pub endpoint: String,
    server: SocketAddr,
    state: Arc<Mutex<State>>,
    /// The client before it, which is told when it has waited long enough.
    pub waiting: Waiting,
}

#[derive(Default)]
struct State {
    rule: Option<Rule>,
    number: Option<usize>,
    counts: BTreeMap<(Option<usize>, bool), usize>,
    /// The first lines of the requests that were broken when they were made last.
    broken: HashSet<String>,
    /// A request that was given up, and its number.
    late: Option<(Option<usize>, Request)>,
    /// How many requests are on their way to the server.
    under_way: usize,
    /// What was broken when a write was made, how often.
    at_writes: BTreeMap<Fault, usize>,
    /// What was broken when something was looked at, how often.
    at_looks: BTreeMap<Fault, usize>,
    /// How often the server did each write.
    effects: BTreeMap<usize, usize>,
}

impl Proxy {
    /// Starts one before a server that is at this address of HTTP.
    pub async fn start(server: &str) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Proxy {
            endpoint: format!("http://{address}"),
            server: server.trim_start_matches("http://").parse().unwrap(),
            state: Arc::default(),
            waiting: Waiting::default(),
        };
        let here = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let here = here.clone();
                // A client that hangs up is part of the game.
                tokio::spawn(async move { here.serve(client).await });
            }
        });
        proxy
    }

    /// From now on this is broken.
    pub fn breaks(&self, rule: impl FnMut(&Asked) -> Option<Fault> + Send + 'static) {
        self.state().rule = Some(Box::new(rule));
    }

    /// From now on nothing is broken.
    pub fn heals(&self) {
        self.state().rule = None;
    }

    /// The write with this number is about to be made.
    pub fn begins(&self, number: usize) {
        self.state().number = Some(number);
    }

    /// How often this was broken: at writes, and at looks.
    pub fn injected(&self, fault: Fault) -> (usize, usize) {
        let state = self.state();
        let count = |of: &BTreeMap<Fault, usize>| of.get(&fault).copied().unwrap_or(0);
        (count(&state.at_writes), count(&state.at_looks))
    }

    /// Waits until no request is on its way to the server.
    pub async fn settles(&self) {
        while self.state().under_way > 0 {
            tokio::task::yield_now().await;
        }
    }

    /// How often the server did the write with this number.
    pub fn effects(&self, number: usize) -> usize {
        self.state().effects.get(&number).copied().unwrap_or(0)
    }

    /// Nothing is awaited while it is held.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    async fn serve(&self, mut client: TcpStream) -> io::Result<()> {
        client.set_nodelay(true)?;
        let mut rest = Vec::new();
        while let Some(request) = Request::read(&mut client, &mut rest).await? {
            let (number, fault) = self.judge(&request);
            let done = match fault {
                None => {
                    let answer = self.forward(number, &request).await?;
                    let (bytes, goes_on) = answer.for_client();
                    client.write_all(&bytes).await?;
                    goes_on
                }
                Some(fault) => self.break_it(&mut client, number, &request, fault).await?,
            };
            if !done {
                return client.shutdown().await;
            }
        }
        Ok(())
    }

    fn judge(&self, request: &Request) -> (Option<usize>, Option<Fault>) {
        let mut state = self.state();
        let (number, writes) = (state.number, request.writes());
        let count = state.counts.entry((number, writes)).or_default();
        let before = *count;
        *count += 1;
        let asked = Asked {
            number,
            writes,
            before,
            was_broken: state.broken.remove(&request.line),
        };
        let fault = state.rule.as_mut().and_then(|rule| rule(&asked));
        if let Some(fault) = fault {
            state.broken.insert(request.line.clone());
            let counts = match writes {
                true => &mut state.at_writes,
                false => &mut state.at_looks,
            };
            *counts.entry(fault).or_default() += 1;
        }
        (number, fault)
    }

    /// Whether the connection can be used on.
    async fn break_it(
        &self,
        client: &mut TcpStream,
        number: Option<usize>,
        request: &Request,
        fault: Fault,
    ) -> io::Result<bool> {
        let answer = match fault.arrives() && fault != Fault::Late {
            true => Some(self.forward(number, request).await?),
            false => None,
        };
        match (fault, answer) {
            (Fault::Internal | Fault::Liar, _) => {
                let error = Response::error(request, "500 Internal Server Error", "InternalError");
                client.write_all(&error.for_client().0).await?;
                return Ok(true);
            }
            (Fault::SlowDown, _) => {
                let error = Response::error(request, "503 Slow Down", "SlowDown");
                client.write_all(&error.for_client().0).await?;
                return Ok(true);
            }
            (Fault::Drip, Some(answer)) => {
                let (bytes, goes_on) = answer.for_client();
                for byte in bytes {
                    client.write_all(&[byte]).await?;
                    tokio::task::yield_now().await;
                }
                return Ok(goes_on);
            }
            (Fault::HalfAnswer, Some(answer)) => {
                client.write_all(answer.half()).await?;
                return Ok(false);
            }
            (Fault::HalfRequest, _) => {
                let answer = request.forward_half(self.server).await?;
                self.count(number, request, &Response::new(answer));
                client.set_zero_linger()?;
            }
            (Fault::ResetBefore | Fault::ResetAfter, _) => client.set_zero_linger()?,
            (Fault::Late, _) => {
                if request.writes() {
                    self.state().late = Some((number, request.clone()));
                }
                self.hangs_up(client, request).await;
            }
            _ => self.hangs_up(client, request).await,
        }
        // Dropped by who called, with a reset where there is no lingering.
        Err(io::Error::from(io::ErrorKind::ConnectionReset))
    }

    /// Asks the server; with a write, also for the one that was given up before it.
    async fn forward(&self, number: Option<usize>, request: &Request) -> io::Result<Response> {
        let late = match request.writes() {
            true => self.state().late.take(),
            false => None,
        };
        let Some((given_up, late)) = late else {
            return self.ask(number, request).await;
        };
        if given_up.is_some_and(|number| number % 2 == 0) {
            self.ask(given_up, &late).await?;
            return self.ask(number, request).await;
        }
        let answer = self.ask(number, request).await?;
        self.ask(given_up, &late).await?;
        Ok(answer)
    }

    async fn ask(&self, number: Option<usize>, request: &Request) -> io::Result<Response> {
        self.state().under_way += 1;
        let answer = request.forward(self.server).await.map(Response::new);
        if let Ok(answer) = &answer {
            self.count(number, request, answer);
        }
        self.state().under_way -= 1;
        answer
    }

    /// Lets the client give up, and waits until it has.
    async fn hangs_up(&self, client: &mut TcpStream, request: &Request) {
        let number = request.header(NUMBER).unwrap();
        self.waiting.give_up(number.parse().unwrap());
        let mut nothing = [0; 64];
        while matches!(client.read(&mut nothing).await, Ok(read) if read > 0) {}
    }

    fn count(&self, number: Option<usize>, request: &Request, answer: &Response) {
        if let Some(number) = number.filter(|_| request.writes() && answer.is_success()) {
            *self.state().effects.entry(number).or_default() += 1;
        }
    }
}
