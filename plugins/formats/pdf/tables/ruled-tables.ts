/** Tables with ruling lines: rules that touch form a grid, whose cells contain lines of text. */

import { joinLines } from "../letters/join-lines.ts";
import type { Rule } from "../page-drawings.ts";
import type { Line } from "../page-text.ts";
import type { Grid } from "./page-rows.ts";

export interface RuledTable {
	/** Null for a page layout, where each cell is an independent text. */
	readonly grid: Grid | null;
	/** The texts of the cells, row by row. */
	readonly cells: readonly (readonly Line[])[];
	/** All lines in the table. */
	readonly lines: ReadonlySet<Line>;
}

/** In points: rules with smaller gaps count as touching. */
const touch = 2.5;
/** In points: closer parallel rules are one, such as both sides of a thick line. */
const cellSizeMin = 5;
/** Forms have at most so many rules and cells; more are a raster of dots. */
const [rulesMax, cellsMax] = [1_000, 10_000];
/** The least share of filled cells; the grid of a diagram is empty. */
const filledShareMin = 0.35;
/** With fewer filled cells it is boxes of a form or a drawing. */
const saidMin = 4;
/** With more lines in a cell, on average, it is no table. */
const cellLinesMax = 7;
/** The largest share of lines that may cross a rule. */
const crossingShareMax = 0.15;

export function ruledTables(lines: readonly Line[], rules: readonly Rule[]): readonly RuledTable[] {
	const whole = joined(rules);
	return whole.length > rulesMax ? [] : connected(whole).flatMap((parts) => tableOf(lines, parts) ?? []);
}

/** Joins collinear pieces: programs draw the border of each cell separately, often twice. */
function joined(rules: readonly Rule[]): readonly Rule[] {
	const whole: Rule[] = [];
	const step = (rule: Rule) => Math.round(rule.at / touch);
	const sorted = rules.toSorted((one, other) => Number(one.isUpright) - Number(other.isUpright) || step(one) - step(other) || one.from - other.from);
	for (const rule of sorted) {
		const last = whole.at(-1);
		const goesOn = last !== undefined && last.isUpright === rule.isUpright && step(last) === step(rule) && rule.from <= last.to + touch;
		if (goesOn) whole[whole.length - 1] = { ...last, to: Math.max(last.to, rule.to) };
		else whole.push(rule);
	}
	return whole;
}

/** Groups of rules that touch, directly or through others. */
function connected(rules: readonly Rule[]): readonly (readonly Rule[])[] {
	const groups = rules.map((_, index) => index);
	const rootOf = (index: number): number => {
		let root = index;
		while (groups[root] !== root) root = groups[root] ?? root;
		groups[index] = root;
		return root;
	};
	for (const [one, rule] of rules.entries())
		for (let other = 0; other < one; other++) if (meet(rule, rules[other] ?? rule)) groups[rootOf(one)] = rootOf(other);
	return [...Map.groupBy(rules.keys(), rootOf).values()].map((attachments) => attachments.flatMap((index) => rules[index] ?? []));
}

function meet(one: Rule, other: Rule): boolean {
	if (one.isUpright === other.isUpright) return Math.abs(one.at - other.at) <= touch && one.from <= other.to + touch && other.from <= one.to + touch;
	return isWithin(one.at, other.from, other.to) && isWithin(other.at, one.from, one.to);
}

function isWithin(at: number, from: number, to: number): boolean {
	return at >= from - touch && at <= to + touch;
}

function tableOf(lines: readonly Line[], rules: readonly Rule[]): RuledTable | null {
	const [across, upright] = [rules.filter((rule) => !rule.isUpright), rules.filter((rule) => rule.isUpright)];
	const xs = positions([...upright.map(({ at }) => at), ...ends(across)]);
	const ys = positions([...across.map(({ at }) => at), ...ends(upright)]);
	const [columns, rows] = [xs.length - 1, ys.length - 1];
	if (columns < 2 || rows < 1 || columns * rows < 3 || columns * rows > cellsMax) return null;
	const cells = createCells(xs, ys, across, upright);
	const inside = lines.filter(({ box }) => cells.at(box) !== null);
	if (inside.length === 0 || inside.filter((line) => cells.isCrossedBy(line)).length > inside.length * crossingShareMax) return null;
	const said = Map.groupBy(inside, ({ box }) => cells.at(box) ?? -1);
	const fields = Map.groupBy(Array.from({ length: rows * columns }).keys(), cells.rootOf);
	if (said.size < Math.max(saidMin, fields.size * filledShareMin)) return null;
	const spoken = [...said.keys()].map((root) => fields.get(root) ?? []);
	const isMostlyMerged = said.size < fields.size && spoken.filter((cell) => cell.length === 1).length < spoken.length / 2;
	if (isMostlyMerged || spoken.some((cell) => !isRectangle(cell, columns)) || areUnparted(said)) return null;
	if (inside.length > said.size * cellLinesMax)
		return { grid: null, cells: [...said].sort(([one], [other]) => one - other).map(([, cell]) => cell), lines: new Set(inside) };
	return { grid: gridOf(rows, xs, cells, said), cells: [], lines: new Set(inside) };
}

/** From this share of cells with text side by side on, some column rules are missing. */
const unpartedShareMin = 0.3;

/** Whether the table lacks column rules, so that text side by side in one cell is several cells. */
function areUnparted(said: ReadonlyMap<number, readonly Line[]>): boolean {
	const sideBySide = [...said.values()].filter((lines) => lines.some((line, at) => isFarBeside(lines[at - 1], line)));
	return sideBySide.length > said.size * unpartedShareMin;
}

function isFarBeside(left: Line | undefined, { box, size }: Line): boolean {
	if (left === undefined || left.isMono) return false;
	const overlap = Math.min(left.box[3], box[3]) - Math.max(left.box[1], box[1]);
	return overlap > size / 2 && box[0] - left.box[2] > size * 0.9;
}

/** A cell that is no rectangle belongs to a drawing. */
function isRectangle(fields: readonly number[], columns: number): boolean {
	const [rows, places] = [fields.map((field) => Math.floor(field / columns)), fields.map((field) => field % columns)];
	const [height, width] = [Math.max(...rows) - Math.min(...rows) + 1, Math.max(...places) - Math.min(...places) + 1];
	return height * width === fields.length;
}

/** The outermost ends of rules, for tables without a frame at the sides. */
function ends(rules: readonly Rule[]): readonly number[] {
	return rules.length === 0 ? [] : [Math.min(...rules.map(({ from }) => from)), Math.max(...rules.map(({ to }) => to))];
}

/** Sorted, with close ones merged. */
function positions(values: readonly number[]): readonly number[] {
	const found: number[] = [];
	for (const value of values.toSorted((a, b) => a - b)) if (found.length === 0 || value - (found.at(-1) ?? 0) >= cellSizeMin) found.push(value);
	return found;
}

interface Cells {
	/** The cell that contains the centre of a box, by its first field; null outside. */
	readonly at: (box: Line["box"]) => number | null;
	/** The first field of the merged cell that a field belongs to. */
	readonly rootOf: (field: number) => number;
	readonly isCrossedBy: (line: Line) => boolean;
}

/** Fields of the grid without a rule between them are one cell. */
function createCells(xs: readonly number[], ys: readonly number[], across: readonly Rule[], upright: readonly Rule[]): Cells {
	const [columns, rows] = [xs.length - 1, ys.length - 1];
	const roots = Array.from({ length: rows * columns }, (_, field) => field);
	const rootOf = (field: number): number => {
		let root = field;
		while (roots[root] !== root) root = roots[root] ?? root;
		return root;
	};
	const join = (one: number, other: number) => {
		const [first, second] = [rootOf(one), rootOf(other)].sort((a, b) => a - b) as [number, number];
		roots[second] = first;
	};
	const walls = wallsOf(xs, ys, upright);
	const floors = wallsOf(ys, xs, across);
	for (let row = 0; row < rows; row++) {
		for (let column = 0; column < columns; column++) {
			const field = row * columns + column;
			if (column + 1 < columns && !walls.has(wallKey(column + 1, row))) join(field, field + 1);
			if (row + 1 < rows && !floors.has(wallKey(row + 1, column))) join(field, field + columns);
		}
	}
	const fieldAt = (x: number, y: number): number | null => {
		const [column, row] = [xs.findLastIndex((edge) => edge <= x), ys.findLastIndex((edge) => edge <= y)];
		return column < 0 || row < 0 || column >= columns || row >= rows ? null : rootOf(row * columns + column);
	};
	return {
		rootOf,
		at: ([left, top, right, bottom]) => fieldAt((left + right) / 2, (top + bottom) / 2),
		isCrossedBy: ({ box: [left, top, right, bottom], size }) => {
			const [from, to] = [fieldAt(left + size / 3, (top + bottom) / 2), fieldAt(right - size / 3, (top + bottom) / 2)];
			return right - left > size && from !== to;
		},
	};
}

function wallKey(edge: number, lane: number): number {
	return edge * 100_000 + lane;
}

/** For each edge of the grid, the rows or columns along which a rule is drawn. */
function wallsOf(edges: readonly number[], lanes: readonly number[], rules: readonly Rule[]): ReadonlySet<number> {
	const walls = new Set<number>();
	for (const { at, from, to } of rules) {
		const edge = edges.findLastIndex((position) => position <= at + 0.01);
		for (let lane = 0; lane + 1 < lanes.length; lane++) {
			const middle = ((lanes[lane] ?? 0) + (lanes[lane + 1] ?? 0)) / 2;
			if (from <= middle && middle <= to) walls.add(wallKey(edge, lane));
		}
	}
	return walls;
}

/** Merged cells are repeated in every field, as in office files. Empty rows and columns are left out. */
function gridOf(rows: number, edges: readonly number[], cells: Cells, said: ReadonlyMap<number, readonly Line[]>): Grid {
	const columns = edges.length - 1;
	const texts = new Map([...said].map(([root, lines]) => [root, joinLines(lines)]));
	const told = Array.from({ length: rows }, (_, row) => {
		const fields = Array.from({ length: columns }, (_, column) => cells.rootOf(row * columns + column));
		return { cells: fields.map((root) => texts.get(root) ?? ""), lines: [...new Set(fields)].flatMap((root) => said.get(root) ?? []) };
	}).filter(({ lines }) => lines.length > 0);
	const [top, below] = told;
	const isTold = edges.map((_, column) => column === columns || told.some((row) => row.cells[column] !== ""));
	const written = told.map((row) => ({ ...row, cells: row.cells.filter((_, column) => isTold[column]) }));
	return { rows: written, edges: edges.filter((_, column) => isTold[column]), hasBoldTop: isBold(top?.lines) && !isBold(below?.lines) };
}

function isBold(lines: readonly Line[] | undefined): boolean {
	return lines?.every((line) => line.isBold) === true;
}
