//! Bodies of answers that are too large for memory.
//!
//! An answer has such a body among its extensions, so that everything between a world and the
//! socket looks at status and headers alone.

use crate::domain::FileBody;
use crate::error::{Error, Result};
use bytes::Bytes;
use http_body::Frame;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use std::io::Read;
use std::sync::Arc;
use tokio::sync::mpsc;

/// The body of an answer, which is read from a file while it is sent.
#[derive(Debug, Clone)]
pub struct Streamed(pub Arc<FileBody>);

/// So many bytes are read at once.
const PIECE: usize = 256 << 10;

/// Whether the body of a response is read while it is sent.
pub fn is_streamed(extensions: &http::Extensions) -> bool {
    extensions.get::<Streamed>().is_some()
}

/// The body of a response for a connection: one that is read while it is sent, or the one in
/// memory.
pub fn body(extensions: &mut http::Extensions, body: Bytes) -> BoxBody<Bytes, Error> {
    match extensions.remove::<Streamed>() {
        Some(Streamed(content)) => pieces(content),
        None => Full::new(body).map_err(|never| match never {}).boxed(),
    }
}

/// Reads a content while it is sent. A reader that fails breaks the connection off, so that the
/// client sees that it does not have the whole.
fn pieces(content: Arc<FileBody>) -> BoxBody<Bytes, Error> {
    let (send, mut receive) = mpsc::channel::<Result<Bytes>>(2);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = send_all(&content, &send) {
            // The client may be gone.
            let _ = send.blocking_send(Err(error));
        }
    });
    let stream = futures_util::stream::poll_fn(move |context| {
        let polled = receive.poll_recv(context);
        polled.map(|piece| piece.map(|piece| piece.map(Frame::data)))
    });
    StreamBody::new(stream).boxed()
}

fn send_all(content: &FileBody, to: &mpsc::Sender<Result<Bytes>>) -> Result<()> {
    let mut reader = match &content.reader {
        Some(open) => open()?,
        None => Box::new(std::io::Cursor::new((content.read)()?)),
    };
    loop {
        let mut piece = Vec::with_capacity(PIECE);
        let read = (&mut reader).take(PIECE as u64).read_to_end(&mut piece);
        let read = read.map_err(|error| Error::world(format!("a content broke off: {error}")))?;
        if read == 0 || to.blocking_send(Ok(piece.into())).is_err() {
            return Ok(());
        }
    }
}
