//! Finds the likeliest namings of all pieces together.

use super::namings::Naming;

/// Value of a row in the usual place or direction, in nats.
const USUAL: f32 = 2.5;

/// One naming for each piece, the likeliest together: each face once, the rows in the order from the top down or
/// from the bottom up, and all in one direction if possible.
pub(super) fn likeliest(namings: &[Vec<Naming>]) -> Option<Vec<&Naming>> {
    OrderSearch::new(namings).best()
}

struct OrderSearch<'n> {
    namings: &'n [Vec<Naming>],
    /// Most that the pieces from here on can add.
    hope: Vec<f32>,
    best: Option<(f32, Vec<usize>)>,
    chosen: Vec<usize>,
}

impl<'n> OrderSearch<'n> {
    fn new(namings: &'n [Vec<Naming>]) -> Self {
        let mut hope = vec![0.0; namings.len() + 1];
        for at in (0..namings.len()).rev() {
            let most = namings[at].first().map_or(0.0, |naming| naming.likelihood);
            hope[at] = hope[at + 1] + most + 2.0 * USUAL;
        }
        Self { namings, hope, best: None, chosen: Vec::new() }
    }

    fn best(mut self) -> Option<Vec<&'n Naming>> {
        self.follow(0, 0.0);
        let namings = self.namings;
        let (_, chosen) = self.best?;
        Some(chosen.iter().zip(namings).map(|(which, all)| &all[*which]).collect())
    }

    fn follow(&mut self, taken: u64, sum: f32) {
        let at = self.chosen.len();
        if at == self.namings.len() {
            let total = sum + self.usual();
            if self.best.as_ref().is_none_or(|(most, _)| total > *most) {
                self.best = Some((total, self.chosen.clone()));
            }
            return;
        }
        // The usual order has a value for each row chosen so far, too.
        let bound = sum + 2.0 * USUAL * at as f32 + self.hope[at];
        if self.best.as_ref().is_some_and(|(most, _)| bound <= *most) {
            return;
        }
        let namings = self.namings;
        for (which, naming) in namings[at].iter().enumerate() {
            if naming.faces & taken == 0 {
                self.chosen.push(which);
                self.follow(taken | naming.faces, sum + naming.likelihood);
                self.chosen.pop();
            }
        }
    }

    /// The value of the rows' order and directions.
    fn usual(&self) -> f32 {
        let chosen = || self.chosen.iter().zip(self.namings).map(|(which, all)| &all[*which]);
        let reversed = chosen().filter(|naming| naming.reversed).count();
        let least: Vec<u32> = chosen().map(|naming| naming.faces.trailing_zeros()).collect();
        let down = least.windows(2).filter(|pair| pair[0] < pair[1]).count();
        let steps = least.len() - 1;
        let alike = |some: usize, all: usize| some.max(all - some) as f32;
        USUAL * (alike(reversed, self.chosen.len()) + alike(down, steps))
    }
}
