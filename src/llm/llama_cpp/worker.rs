//! The thread that owns the model and its context. It answers one request after the
//! other.

use super::Problem;
use super::generator::Generator;
use crate::llm::local::{LocalConfig, Machine};
use crate::llm::{Completion, Progress, Request};
use llama_cpp_2::context::params::LlamaContextParams;
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, mpsc};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How many tokens of a prompt are read at once. A request can be cancelled between two
/// batches.
pub(super) const BATCH: u32 = 256;

/// The channel to the thread. The thread ends when this is dropped.
#[derive(Debug)]
pub(super) struct Worker(mpsc::Sender<Job>);

/// One request. When `heard` is closed, nobody waits for the answer any more.
pub(super) struct Job {
    pub(super) request: Request,
    heard: UnboundedSender<Heard>,
}

enum Heard {
    Text(String),
    End(Result<Completion, Problem>),
}

impl Job {
    /// Passes on more of the answer.
    pub(super) fn say(&self, text: String) {
        if !text.is_empty() {
            // If nobody listens any more, `goes_on` reports it.
            let _ = self.heard.send(Heard::Text(text));
        }
    }

    /// # Errors
    /// Nobody waits for the answer any more.
    pub(super) fn goes_on(&self) -> Result<(), Problem> {
        match self.heard.is_closed() {
            true => Err(Problem::other("nobody waits for the answer")),
            false => Ok(()),
        }
    }
}

impl Worker {
    /// Starts the thread. It reads the model when the first request arrives.
    pub(super) fn start(file: PathBuf, adapter: Option<PathBuf>, config: &LocalConfig) -> Self {
        let (sender, jobs) = mpsc::channel();
        let wanted = (config.threads, config.context);
        std::thread::spawn(move || work(&file, adapter.as_deref(), wanted, &jobs));
        Worker(sender)
    }

    /// Sends a request and passes the answer's text on as it arrives.
    pub(super) async fn ask(
        &self,
        request: &Request,
        progress: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion, Problem> {
        let ended = || Problem::other("llama.cpp has ended unexpectedly");
        let (heard, mut hear) = unbounded_channel();
        let request = request.clone();
        let job = Job { request, heard };
        self.0.send(job).map_err(|_| ended())?;
        while let Some(heard) = hear.recv().await {
            match heard {
                Heard::Text(text) => progress(Progress::Text(&text)),
                Heard::End(result) => return result,
            }
        }
        Err(ended())
    }
}

fn work(
    file: &Path,
    adapter: Option<&Path>,
    (threads, context): (Option<u32>, Option<u32>),
    jobs: &mpsc::Receiver<Job>,
) {
    let Ok(first) = jobs.recv() else { return };
    let jobs = std::iter::once(first).chain(jobs);
    let machine = Machine::this();
    let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    let (fits, prompts) = machine.context(size);
    let threads = threads.unwrap_or(machine.cores);
    let unfit = || Problem::other("llama.cpp cannot apply the adapter to this model");
    let mut read = backend().and_then(|backend| {
        let read = LlamaModel::load_from_file(backend, file, &LlamaModelParams::default());
        let unread = |_| Problem::other("llama.cpp cannot read the file; is it a GGUF model?");
        let mut model = read.map_err(unread)?;
        let adapter = adapter.map(|file| model.lora_adapter_init(file).map_err(|_| unfit()));
        Ok((backend, adapter.transpose()?, model))
    });
    let talk = read.as_mut().map_err(|problem| problem.clone());
    let talk = talk.and_then(|(backend, adapter, model)| {
        let tokens = context.unwrap_or_else(|| fits.min(model.n_ctx_train() * prompts));
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(tokens))
            .with_n_seq_max(prompts)
            .with_n_batch(BATCH)
            .with_n_ubatch(BATCH)
            .with_n_threads(i32::try_from(threads).unwrap_or(i32::MAX))
            .with_n_threads_batch(i32::try_from(threads).unwrap_or(i32::MAX));
        let mut context = model.new_context(backend, params).map_err(|_| {
            Problem::other(format!(
                "there is not enough memory for a context of {tokens} tokens; set a smaller \
                 `context` in the config file"
            ))
        })?;
        if let Some(adapter) = adapter {
            let set = context.lora_adapter_set(adapter, 1.0);
            set.map_err(|_| unfit())?;
        }
        Ok(Generator::new(model, context, prompts))
    });
    match talk {
        Ok(mut talk) => {
            for job in jobs {
                let answer = talk.answer(&job);
                let _ = job.heard.send(Heard::End(answer));
            }
        }
        Err(problem) => {
            for job in jobs {
                let _ = job.heard.send(Heard::End(Err(problem.clone())));
            }
        }
    }
}

/// Sets up llama.cpp, which can be done only once in a process.
fn backend() -> Result<&'static LlamaBackend, Problem> {
    static BACKEND: OnceLock<Result<LlamaBackend, Problem>> = OnceLock::new();
    let backend = BACKEND.get_or_init(|| {
        let mut backend = LlamaBackend::init().map_err(Problem::other)?;
        // llama.cpp would log to the terminal.
        backend.void_logs();
        Ok(backend)
    });
    backend.as_ref().map_err(Clone::clone)
}
