/** Finds tables with ruling lines. Rules that touch form a grid; its cells contain lines of text. */

import { joinLines } from "../letters/join-lines.ts";
import type { Rule } from "../page-drawings.ts";
import type { Line } from "../page-text.ts";
import type { Grid } from "./page-rows.ts";

export interface RuledTable {
	/** Null for a page layout, in which each cell is an independent text. */
	readonly grid: Grid | null;
	/** The texts of the cells, row by row. */
	readonly cells: readonly (readonly Line[])[];
	/** All lines in the table. */
	readonly lines: ReadonlySet<Line>;
}

/** Rules with smaller gaps count as touching, in points. */
const touchDistance = 2.5;
/** Parallel rules that are closer than this, in points, count as one, such as both sides of a thick line. */
const cellSizeMin = 5;
/** Forms have fewer rules and cells than this. More of them are a raster of dots. */
const [rulesMax, cellsMax] = [1_000, 10_000];
/** The least share of filled cells. The grid of a diagram is mostly empty. */
const filledShareMin = 0.35;
/** With fewer filled cells it is not a table, but boxes of a form or a drawing. */
const filledCellsMin = 4;
/** With more lines per cell on average it is a page layout and not a table. */
const cellLinesMax = 7;
/** The largest share of lines of text that may cross a rule. */
const crossingShareMax = 0.15;

export function ruledTables(lines: readonly Line[], rules: readonly Rule[]): readonly RuledTable[] {
	const joinedRules = joinRules(rules);
	return joinedRules.length > rulesMax ? [] : connected(joinedRules).flatMap((group) => tableOf(lines, group) ?? []);
}

/** Joins collinear pieces of rules, since programs draw the border of each cell separately, often twice. */
function joinRules(rules: readonly Rule[]): readonly Rule[] {
	const joinedRules: Rule[] = [];
	const step = (rule: Rule) => Math.round(rule.position / touchDistance);
	const sorted = rules.toSorted(
		(first, second) => Number(first.isVertical) - Number(second.isVertical) || step(first) - step(second) || first.from - second.from,
	);
	for (const rule of sorted) {
		const last = joinedRules.at(-1);
		const continuesLast = last !== undefined && last.isVertical === rule.isVertical && step(last) === step(rule) && rule.from <= last.to + touchDistance;
		if (continuesLast) joinedRules[joinedRules.length - 1] = { ...last, to: Math.max(last.to, rule.to) };
		else joinedRules.push(rule);
	}
	return joinedRules;
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
	for (const [first, rule] of rules.entries())
		for (let second = 0; second < first; second++) if (touches(rule, rules[second] ?? rule)) groups[rootOf(first)] = rootOf(second);
	return [...Map.groupBy(rules.keys(), rootOf).values()].map((members) => members.flatMap((index) => rules[index] ?? []));
}

function touches(first: Rule, second: Rule): boolean {
	if (first.isVertical === second.isVertical)
		return Math.abs(first.position - second.position) <= touchDistance && first.from <= second.to + touchDistance && second.from <= first.to + touchDistance;
	return isWithin(first.position, second.from, second.to) && isWithin(second.position, first.from, first.to);
}

function isWithin(at: number, from: number, to: number): boolean {
	return at >= from - touchDistance && at <= to + touchDistance;
}

function tableOf(lines: readonly Line[], rules: readonly Rule[]): RuledTable | null {
	const [horizontal, vertical] = [rules.filter((rule) => !rule.isVertical), rules.filter((rule) => rule.isVertical)];
	const xs = positions([...vertical.map(({ position: at }) => at), ...ends(horizontal)]);
	const ys = positions([...horizontal.map(({ position: at }) => at), ...ends(vertical)]);
	const [columns, rows] = [xs.length - 1, ys.length - 1];
	if (columns < 2 || rows < 1 || columns * rows < 3 || columns * rows > cellsMax) return null;
	const cells = createCells(xs, ys, horizontal, vertical);
	const linesInside = lines.filter(({ box }) => cells.cellOf(box) !== null);
	if (linesInside.length === 0 || linesInside.filter((line) => cells.isCrossedBy(line)).length > linesInside.length * crossingShareMax) return null;
	const linesByCell = Map.groupBy(linesInside, ({ box }) => cells.cellOf(box) ?? -1);
	const fields = Map.groupBy(Array.from({ length: rows * columns }).keys(), cells.rootOf);
	if (linesByCell.size < Math.max(filledCellsMin, fields.size * filledShareMin)) return null;
	const filledCells = [...linesByCell.keys()].map((root) => fields.get(root) ?? []);
	const isMostlyMerged = linesByCell.size < fields.size && filledCells.filter((cell) => cell.length === 1).length < filledCells.length / 2;
	if (isMostlyMerged || filledCells.some((cell) => !isRectangle(cell, columns)) || lacksColumnRules(linesByCell)) return null;
	if (linesInside.length > linesByCell.size * cellLinesMax)
		return { grid: null, cells: [...linesByCell].sort(([first], [second]) => first - second).map(([, cell]) => cell), lines: new Set(linesInside) };
	return { grid: gridOf(rows, xs, cells, linesByCell), cells: [], lines: new Set(linesInside) };
}

/** If more than this share of the cells has texts side by side, some column rules are missing. */
const missingRulesShareMin = 0.3;

/** Whether the table lacks column rules, so that texts side by side in one cell belong to different cells. */
function lacksColumnRules(linesByCell: ReadonlyMap<number, readonly Line[]>): boolean {
	const sideBySide = [...linesByCell.values()].filter((lines) => lines.some((line, at) => isFarBeside(lines[at - 1], line)));
	return sideBySide.length > linesByCell.size * missingRulesShareMin;
}

function isFarBeside(left: Line | undefined, { box, size }: Line): boolean {
	if (left === undefined || left.isMono) return false;
	const overlap = Math.min(left.box[3], box[3]) - Math.max(left.box[1], box[1]);
	return overlap > size / 2 && box[0] - left.box[2] > size * 0.9;
}

/** Whether the fields of a cell form a rectangle. If not, it is not a table but a drawing. */
function isRectangle(fields: readonly number[], columns: number): boolean {
	const [rows, columnNumbers] = [fields.map((field) => Math.floor(field / columns)), fields.map((field) => field % columns)];
	const [height, width] = [Math.max(...rows) - Math.min(...rows) + 1, Math.max(...columnNumbers) - Math.min(...columnNumbers) + 1];
	return height * width === fields.length;
}

/** The outermost ends of rules, which are the edges of tables without a frame at the sides. */
function ends(rules: readonly Rule[]): readonly number[] {
	return rules.length === 0 ? [] : [Math.min(...rules.map(({ from }) => from)), Math.max(...rules.map(({ to }) => to))];
}

/** The values in ascending order, with close ones merged. */
function positions(values: readonly number[]): readonly number[] {
	const found: number[] = [];
	for (const value of values.toSorted((a, b) => a - b)) if (found.length === 0 || value - (found.at(-1) ?? 0) >= cellSizeMin) found.push(value);
	return found;
}

interface Cells {
	/** The cell that contains the centre of a box, given as its first field; null outside of the table. */
	readonly cellOf: (box: Line["box"]) => number | null;
	/** The first field of the merged cell that a field belongs to. */
	readonly rootOf: (field: number) => number;
	readonly isCrossedBy: (line: Line) => boolean;
}

/** Merges fields of the grid without a rule between them into cells. */
function createCells(xs: readonly number[], ys: readonly number[], horizontal: readonly Rule[], vertical: readonly Rule[]): Cells {
	const [columns, rows] = [xs.length - 1, ys.length - 1];
	const roots = Array.from({ length: rows * columns }, (_, field) => field);
	const rootOf = (field: number): number => {
		let root = field;
		while (roots[root] !== root) root = roots[root] ?? root;
		return root;
	};
	const join = (first: number, second: number) => {
		const [lowerRoot, higherRoot] = [rootOf(first), rootOf(second)].sort((a, b) => a - b) as [number, number];
		roots[higherRoot] = lowerRoot;
	};
	const walls = wallsOf(xs, ys, vertical);
	const floors = wallsOf(ys, xs, horizontal);
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
		cellOf: ([left, top, right, bottom]) => fieldAt((left + right) / 2, (top + bottom) / 2),
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
	for (const { position: at, from, to } of rules) {
		const edge = edges.findLastIndex((position) => position <= at + 0.01);
		for (let lane = 0; lane + 1 < lanes.length; lane++) {
			const middle = ((lanes[lane] ?? 0) + (lanes[lane + 1] ?? 0)) / 2;
			if (from <= middle && middle <= to) walls.add(wallKey(edge, lane));
		}
	}
	return walls;
}

/** The texts of the table. Merged cells are repeated in every field, as in Office files. Empty rows and columns are left out. */
function gridOf(rows: number, edges: readonly number[], cells: Cells, linesByCell: ReadonlyMap<number, readonly Line[]>): Grid {
	const columns = edges.length - 1;
	const texts = new Map([...linesByCell].map(([root, lines]) => [root, joinLines(lines)]));
	const tableRows = Array.from({ length: rows }, (_, row) => {
		const fields = Array.from({ length: columns }, (_, column) => cells.rootOf(row * columns + column));
		return { cells: fields.map((root) => texts.get(root) ?? ""), lines: [...new Set(fields)].flatMap((root) => linesByCell.get(root) ?? []) };
	}).filter(({ lines }) => lines.length > 0);
	const [top, below] = tableRows;
	const columnHasText = edges.map((_, column) => column === columns || tableRows.some((row) => row.cells[column] !== ""));
	const written = tableRows.map((row) => ({ ...row, cells: row.cells.filter((_, column) => columnHasText[column]) }));
	return { rows: written, edges: edges.filter((_, column) => columnHasText[column]), hasBoldTop: isBold(top?.lines) && !isBold(below?.lines) };
}

function isBold(lines: readonly Line[] | undefined): boolean {
	return lines?.every((line) => line.isBold) === true;
}
