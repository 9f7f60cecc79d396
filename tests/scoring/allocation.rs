//! The totals of a hand are found without allocating anything.

#![allow(unsafe_code, reason = "an allocator that counts is an unsafe trait")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use crate::support::random::{Dice, allowed_hand};
use tilelens::rules::RuleSet;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn totals_allocate_nothing() {
    let mut dice = Dice(11);
    for round in 0..500 {
        for rules in RuleSet::presets() {
            let (hand, at) = allowed_hand(&mut dice, rules, round % 2 == 0);
            // The tables are built by the first hand.
            let _ = rules.value(&hand, &at);
            let before = ALLOCATED.with(Cell::get);
            let _ = std::hint::black_box(rules.value(&hand, &at));
            assert_eq!(ALLOCATED.with(Cell::get), before, "{}", rules.id);
        }
    }
}
