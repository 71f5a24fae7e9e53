//! Options for how the examples of a prompt are found.

use crate::error::{Error, Result};
use crate::retrieval::{Measure, Similarity};
use crate::weights;
use clap::Args;
use std::path::PathBuf;

/// The options.
#[derive(Debug, Clone, Default, Args)]
pub struct SimilarityOptions {
    /// How similar utterances are found: by their words (bm25 or tfidf), or by sentence
    /// embeddings (minilm, if the build has that feature) [default: minilm if it is built
    /// in and its model is on this machine, else bm25]
    #[arg(long, value_name = "MEASURE", help_heading = "Model")]
    pub similarity: Option<Measure>,

    /// The folder of all-MiniLM-L6-v2, for minilm [default: DIALOG2API_MINILM, or where
    /// `model pull minilm` puts it]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub embeddings: Option<PathBuf>,
}

impl SimilarityOptions {
    /// The similarity that the options choose. Nothing is computed yet.
    pub fn open(&self) -> Result<Similarity> {
        match (self.similarity, &self.embeddings) {
            (Some(Measure::TfIdf | Measure::Bm25), Some(_)) => Err(Error::usage(
                "--embeddings is for --similarity minilm; leave one of them out",
            )),
            (Some(Measure::TfIdf), None) => Ok(Similarity::TfIdf),
            (Some(Measure::Bm25), None) => Ok(Similarity::Bm25),
            (Some(Measure::MiniLm), _) | (None, Some(_)) if !cfg!(feature = "minilm") => {
                Err(Error::usage(
                    "this dialog2api was built without sentence embeddings; build it with \
                     `--features minilm`, or leave them out: --similarity bm25 finds as much",
                ))
            }
            (Some(Measure::MiniLm), _) | (None, Some(_)) => {
                let folder = self.folder()?.ok_or_else(|| {
                    Error::usage(
                        "there are no sentence embeddings here: `dialog2api model pull minilm` \
                         fetches them, --embeddings DIR names a folder that has them, and \
                         --similarity bm25 does without",
                    )
                })?;
                minilm(folder)
            }
            (None, None) => match self.folder()? {
                Some(folder) if cfg!(feature = "minilm") => minilm(folder),
                _ => Ok(Similarity::default()),
            },
        }
    }

    /// The folder of the model. A named folder is checked when it is used; the program's
    /// own one must be complete.
    fn folder(&self) -> Result<Option<PathBuf>> {
        let variable = std::env::var_os("DIALOG2API_MINILM").filter(|name| !name.is_empty());
        if let Some(folder) = self.embeddings.clone().or(variable.map(PathBuf::from)) {
            return Ok(Some(folder));
        }
        // Without a home folder, no model can be there.
        let Ok(models) = weights::models_folder() else {
            return Ok(None);
        };
        let manifests = weights::manifests()?;
        let named = manifests.iter().find(|manifest| manifest.name == "minilm");
        Ok(named.and_then(|manifest| weights::kept(manifest, &models)))
    }
}

#[cfg(feature = "minilm")]
fn minilm(folder: PathBuf) -> Result<Similarity> {
    use crate::retrieval::{Embedder, MiniLm, Names, Vectors};
    let model = MiniLm::open(&folder)?;
    Ok(Similarity::Embeddings {
        names: Names::default(),
        cache: Vectors::of_user(model.digest(), model.width()),
        embedder: std::sync::Arc::new(model),
    })
}

#[cfg(not(feature = "minilm"))]
fn minilm(_: PathBuf) -> Result<Similarity> {
    Ok(Similarity::default())
}
