//! all-MiniLM-L6-v2 in this process: a BERT of six layers whose token vectors are
//! averaged (Reimers and Gurevych 2019; model card of
//! `sentence-transformers/all-MiniLM-L6-v2`).
//!
//! The same text gives the same vector, whatever was embedded before: each sentence is
//! computed alone, without padding. Between kinds of processors the last bits differ.

use super::embedded::{Embedder, normalize};
use crate::error::{Error, Result};
use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tokenizers::{Tokenizer, TruncationParams};

const FILES: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// The most tokens of a sentence that are read: `max_seq_length` of the model's
/// `sentence_bert_config.json`. `tokenizer.json` by itself would cut and pad to 128.
const MAX_TOKENS: usize = 256;

/// The sentence embedding model, read from a folder.
pub struct MiniLm {
    folder: PathBuf,
    digest: String,
    config: Config,
    tokenizer: Tokenizer,
    /// Read with the first sentence that is not in the cache.
    weights: OnceLock<BertModel>,
}

impl MiniLm {
    /// The model in a folder.
    ///
    /// # Errors
    /// A file is missing or cannot be parsed.
    pub fn open(folder: &Path) -> Result<Self> {
        let [config, tokenizer, _] = FILES.map(|name| folder.join(name));
        let mut digest = blake3::Hasher::new();
        for path in FILES.map(|name| folder.join(name)) {
            digest
                .update_mmap_rayon(&path)
                .map_err(Error::file("cannot read the sentence embeddings", &path))?;
        }
        let text = std::fs::read_to_string(&config).map_err(Error::file("cannot read", &config))?;
        let parsed: Config = serde_json::from_str(&text).map_err(broken(&config))?;
        let mut words = Tokenizer::from_file(&tokenizer).map_err(broken(&tokenizer))?;
        let truncation = TruncationParams {
            max_length: MAX_TOKENS.min(parsed.max_position_embeddings),
            ..TruncationParams::default()
        };
        (words.with_truncation(Some(truncation))).map_err(broken(&tokenizer))?;
        words.with_padding(None);
        Ok(MiniLm {
            folder: folder.to_owned(),
            digest: digest.finalize().to_hex().to_string(),
            config: parsed,
            tokenizer: words,
            weights: OnceLock::new(),
        })
    }

    /// The folder that it was opened in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn weights(&self) -> Result<&BertModel> {
        if let Some(weights) = self.weights.get() {
            return Ok(weights);
        }
        let path = self.file();
        let bytes = std::fs::read(&path).map_err(Error::file("cannot read", &path))?;
        let loaded = VarBuilder::from_buffered_safetensors(bytes, DType::F32, &Device::Cpu)
            .and_then(|tensors| BertModel::load(tensors, &self.config))
            .map_err(broken(&path))?;
        Ok(self.weights.get_or_init(|| loaded))
    }

    fn file(&self) -> PathBuf {
        self.folder.join("model.safetensors")
    }

    /// The mean of the vectors of these tokens.
    fn mean(&self, tokens: &[u32]) -> Result<Vec<f32>> {
        let weights = self.weights()?;
        let run = || -> candle_core::Result<Vec<f32>> {
            let tokens = Tensor::new(tokens, &Device::Cpu)?.unsqueeze(0)?;
            let types = tokens.zeros_like()?;
            let vectors = weights.forward(&tokens, &types, None)?;
            vectors.mean(1)?.squeeze(0)?.to_vec1()
        };
        run().map_err(broken(&self.file()))
    }
}

impl Embedder for MiniLm {
    fn name(&self) -> &str {
        "minilm"
    }

    fn digest(&self) -> &str {
        &self.digest
    }

    fn width(&self) -> usize {
        self.config.hidden_size
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>> {
        let path = self.folder.join("tokenizer.json");
        let tokens = self.tokenizer.encode(text, true).map_err(broken(&path))?;
        let mut vector = self.mean(tokens.get_ids())?;
        normalize(&mut vector);
        Ok(vector)
    }
}

fn broken<E: Display>(path: &Path) -> impl FnOnce(E) -> Error {
    let path = path.to_owned();
    move |error| Error::Content {
        path,
        problem: format!(
            "is not what the sentence embeddings need: {error}; \
             `dialog2api model pull minilm` fetches them again"
        ),
    }
}
