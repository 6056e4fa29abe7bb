//! The drawing of the tree: a column for every ply, a row for every line. The lines to moves are the thicker the larger
//! their share is; their color is that of the value.

use book::Destination;
use book::tree::{Branch, Tree};
use engine::Estimate;
use othello::Square;
use ratatui::prelude::{Buffer, Rect};
use report::columns;

use crate::full_screen::drawing::board::short;
use crate::full_screen::drawing::{Canvas, Styles};
use crate::wrapping::shortened;

/// The columns of a move: the line to it, its name, its value and a sign.
const CELL: u16 = 13;
/// The columns of the line to a move.
const CONNECTION: u16 = 4;
/// The columns of a value.
const VALUE: usize = 5;
/// The columns that are kept for the names of openings.
const NAMES: u16 = 15;
/// The maximum number of plies.
const MAX_PLIES: u16 = 12;
/// The branches that are read for every row: some have no room.
const BRANCHES_PER_ROW: usize = 12;

/// Plies and branches that a picture of this size can show.
pub(super) fn extent(area: Rect) -> (usize, usize) {
    let plies = (area.width.saturating_sub(NAMES) / CELL).clamp(1, MAX_PLIES);
    (usize::from(plies), usize::from(area.height) * BRANCHES_PER_ROW)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Thickness {
    /// Less than 2% of all lines.
    Hair,
    /// Less than 10%.
    Thin,
    /// Less than 30%.
    Thick,
    /// More.
    Bar,
}

impl Thickness {
    pub(super) fn of(share: f64) -> Self {
        match share {
            share if share >= 0.3 => Self::Bar,
            share if share >= 0.1 => Self::Thick,
            share if share >= 0.02 => Self::Thin,
            _ => Self::Hair,
        }
    }
}

#[derive(Debug)]
pub(super) struct Drawn<'a> {
    pub branch: &'a Branch,
    pub next: Vec<Drawn<'a>>,
}

impl Drawn<'_> {
    /// The rows that it occupies.
    pub(super) fn height(&self) -> usize {
        self.next.iter().map(Drawn::height).sum::<usize>().max(1)
    }
}

/// The branches with the largest share that fit into this many rows.
pub(super) fn fitting(tree: &Tree, rows: usize) -> Vec<Drawn<'_>> {
    let mut all: Vec<(Option<usize>, usize, &Branch)> = Vec::new();
    collect(&tree.branches, None, 0, &mut all);
    let mut order: Vec<usize> = (0..all.len()).collect();
    // Parents come before their children, because their share is not smaller.
    order.sort_by(|&one, &other| {
        let (_, one_ply, first) = &all[one];
        let (_, other_ply, second) = &all[other];
        second.share.total_cmp(&first.share).then(one_ply.cmp(other_ply)).then(one.cmp(&other))
    });
    let mut is_chosen = vec![false; all.len()];
    // Numbers of the chosen moves after each; the last one is that of the position itself.
    let mut next_counts = vec![0; all.len() + 1];
    let mut used = usize::from(rows > 0);
    for number in order {
        let parent = all[number].0;
        let place = parent.unwrap_or(all.len());
        // The first move after another one continues its row.
        let needed = usize::from(next_counts[place] > 0);
        if rows > 0 && parent.is_none_or(|parent| is_chosen[parent]) && used + needed <= rows {
            is_chosen[number] = true;
            next_counts[place] += 1;
            used += needed;
        }
    }
    let mut number = 0;
    chosen(&tree.branches, &is_chosen, &mut number)
}

/// All branches in the order of a walk through the tree, each with the number of its parent and its ply.
fn collect<'a>(
    branches: &'a [Branch],
    parent: Option<usize>,
    ply: usize,
    all: &mut Vec<(Option<usize>, usize, &'a Branch)>,
) {
    for branch in branches {
        let number = all.len();
        all.push((parent, ply, branch));
        collect(&branch.branches, Some(number), ply + 1, all);
    }
}

/// The chosen ones of these branches; `number` counts in the order of the same walk.
fn chosen<'a>(branches: &'a [Branch], is_chosen: &[bool], number: &mut usize) -> Vec<Drawn<'a>> {
    let mut drawn = Vec::new();
    for branch in branches {
        let own = *number;
        *number += 1;
        let next = chosen(&branch.branches, is_chosen, number);
        if is_chosen[own] {
            drawn.push(Drawn { branch, next });
        }
    }
    drawn
}

pub(super) fn draw(tree: &Tree, marked: Option<Square>, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let drawn = fitting(tree, usize::from(area.height));
    let (styles, buffer) = (canvas.styles, canvas.frame.buffer_mut());
    Picture { area, marked, styles, buffer }.branches(&drawn, 0, 0, None);
}

struct Picture<'a> {
    area: Rect,
    marked: Option<Square>,
    styles: &'a Styles,
    buffer: &'a mut Buffer,
}

impl Picture<'_> {
    /// Draws moves below each other. The name is that of the opening so far in the first of their rows.
    fn branches(&mut self, branches: &[Drawn<'_>], ply: u16, first_row: usize, name: Option<&'static str>) {
        let x = self.area.x + ply * CELL;
        let mut row = first_row;
        for (index, drawn) in branches.iter().enumerate() {
            let is_last = index + 1 == branches.len();
            let y = self.area.y + row as u16;
            let junction = self.styles.junction(index == 0, is_last);
            self.buffer.set_string(x, y, junction, self.styles.faint);
            let height = drawn.height();
            if !is_last {
                for below in 1..height as u16 {
                    self.buffer.set_string(x, y + below, self.styles.signs.upright, self.styles.faint);
                }
            }
            let name = name.filter(|_| index == 0);
            self.branch(drawn, ply, (x, y), name, row);
            row += height;
        }
    }

    fn branch(&mut self, drawn: &Drawn<'_>, ply: u16, (x, y): (u16, u16), name: Option<&'static str>, row: usize) {
        let branch = drawn.branch;
        let style = self.styles.worth(discs(branch.value));
        let line = self.styles.line_sign(Thickness::of(branch.share)).to_string().repeat(2);
        self.buffer.set_string(x + 1, y, line, style);
        let sign = self.styles.way_sign(branch.to);
        let words = format!("{} {}{sign}", branch.square, short(branch.value, VALUE));
        let is_marked = ply == 0 && self.marked == Some(branch.square.square);
        let label = x + CONNECTION;
        self.buffer.set_string(label, y, &words, if is_marked { self.styles.chosen } else { style });
        let end = label + columns::width(&words) as u16;
        let name = branch.opening.or(name);
        if !drawn.next.is_empty() {
            let gap = (x + CELL).saturating_sub(end + 1);
            let line = self.styles.signs.connection.to_string().repeat(usize::from(gap));
            self.buffer.set_string(end + 1, y, line, self.styles.faint);
            self.branches(&drawn.next, ply + 1, row, name);
            return;
        }
        let mut rest = String::new();
        if branch.to == Destination::Book && branch.left_out + branch.branches.len() > 0 {
            rest += self.styles.signs.dots;
        }
        if let Some(name) = name {
            rest += if rest.is_empty() { "" } else { " " };
            rest += name;
        }
        let room = self.area.right().saturating_sub(end + 1);
        self.buffer.set_string(end + 1, y, shortened(&rest, usize::from(room)), self.styles.faint);
    }
}

pub(super) fn discs(value: Estimate) -> f64 {
    match value {
        Estimate::Solved(score) => f64::from(score.discs()),
        Estimate::Discs { hundredths } => f64::from(hundredths) / 100.0,
        // A book has no other values.
        Estimate::Proven(_) | Estimate::Chance { .. } | Estimate::Points(_) => 0.0,
    }
}
