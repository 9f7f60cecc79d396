//! Networks run by rten, in Rust alone: slower than ONNX Runtime, but without a download, and it runs wherever
//! Rust does.

use std::sync::Arc;

use rten::{Dimension, Model, RunOptions, ThreadPool};
use rten_tensor::{NdTensorView, Tensor, prelude::*};

use super::{ModelError, Network, Output};

/// This runtime's sums of products of 8 bits come out whole on every processor.
pub(super) fn adds_exactly() -> bool {
    true
}

/// One network, ready to run.
struct Rten {
    model: Model,
    threads: Arc<ThreadPool>,
}

/// Reads a network from the bytes of its file; this runtime cannot use one that ONNX Runtime rearranged.
///
/// # Errors
/// The bytes are not a network that runs.
pub(super) fn load(
    bytes: &[u8],
    threads: usize,
    _is_ready: bool,
) -> Result<Result<Box<dyn Network>, String>, ModelError> {
    let model = Model::load(bytes.to_vec());
    let threads = Arc::new(ThreadPool::with_num_threads(threads.max(1)));
    Ok(model
        .map(|model| Box::new(Rten { model, threads }) as Box<dyn Network>)
        .map_err(|error| format!("not a network that runs: {error}")))
}

impl Network for Rten {
    fn input(&self) -> Option<(String, Option<usize>)> {
        let node = self.model.node_info(*self.model.input_ids().first()?)?;
        let width = match node.shape().as_ref().and_then(|shape| shape.last()) {
            Some(Dimension::Fixed(width)) => Some(*width),
            _ => None,
        };
        Some((node.name()?.to_owned(), width))
    }

    fn output(&self, name: &str) -> Option<Option<usize>> {
        let id = self.model.find_node(name).filter(|id| self.model.output_ids().contains(id))?;
        let shape = self.model.node_info(id).and_then(|node| node.shape());
        Some(shape.and_then(|shape| match shape.get(1) {
            Some(Dimension::Fixed(channels)) => Some(*channels),
            _ => None,
        }))
    }

    fn run(
        &mut self,
        shape: [usize; 4],
        values: &[f32],
        outputs: &[&str],
    ) -> Result<Vec<Output>, String> {
        let failure = |error: rten::RunError| error.to_string();
        let ids: Vec<_> = (outputs.iter())
            .map(|name| self.model.node_id(name))
            .collect::<Result<_, _>>()
            .map_err(failure)?;
        let input = *self.model.input_ids().first().ok_or("the network has no input")?;
        let tensor = NdTensorView::try_from_data(shape, values).map_err(|e| format!("{e:?}"))?;
        let mut options = RunOptions::default();
        options.thread_pool = Some(Arc::clone(&self.threads));
        let found = self.model.run(vec![(input, tensor.into())], &ids, Some(options));
        let tensor = |value: rten::Value| {
            let tensor: Tensor<f32> =
                value.try_into().map_err(|_| "an output holds no numbers".to_owned())?;
            Ok((tensor.shape().to_vec(), tensor.to_vec()))
        };
        found.map_err(failure)?.into_iter().map(tensor).collect()
    }
}
