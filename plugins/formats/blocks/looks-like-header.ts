/** Guesses from the cells whether the first row of a table is a header, and joins header rows. */

/** This many rows are enough to see the type of a column. */
const inspectedRowsMax = 50;

/** Longer cells are no names. */
const nameCharactersMax = 80;

/** The first row is a header unless it looks like a row of data: numbers over numbers, the same name twice, an address, or a value that comes again below it. */
export function looksLikeHeader(table: readonly (readonly string[])[]): boolean {
	const [first, ...rest] = table.slice(0, inspectedRowsMax);
	if (first === undefined || rest.length === 0) return false;
	const names = first.map((cell) => cell.trim().toLowerCase()).filter((name) => name !== "");
	if (new Set(names).size < names.length || names.some(isNoName)) return false;
	const others = rest.filter((row) => row.join("\t") !== first.join("\t")); // a table over several pages may repeat its header
	if (first.some((cell, column) => isValueOf(cell.trim(), others, column))) return false;
	return !first.some((cell, column) => {
		const hasType = isYear(cell) ? isYear : isQuantity; // years over amounts are column names
		return hasType(cell) && mostly(rest, (row) => hasType(row[column] ?? ""));
	});
}

/** Whether some column has quantities below a first cell that is a name. The first row is then certainly a header. */
export function hasNamedQuantities(table: readonly (readonly string[])[]): boolean {
	const [first, ...rest] = table.slice(0, inspectedRowsMax);
	if (first === undefined || rest.length === 0) return false;
	return (
		looksLikeHeader(table) && first.some((cell, column) => cell.trim() !== "" && !isQuantity(cell) && mostly(rest, (row) => isQuantity(row[column] ?? "")))
	);
}

/** Whether the first row has only short names, and more than one. */
export function hasOnlyNames(first: readonly string[]): boolean {
	return first.length > 1 && first.every((cell) => cell !== "" && cell.length <= 60 && !cell.includes("\n"));
}

/** Several header rows become one: `2024` above `Sales` is `2024 Sales`. */
export function joinHeaders(rows: readonly (readonly string[])[]): readonly string[] {
	const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
	return Array.from({ length: width }, (_, column) =>
		[...new Set(rows.map((row) => (row[column] ?? "").replace(/\s+/g, " ").trim()).filter((name) => name !== ""))].join(" "),
	);
}

function mostly(rows: readonly (readonly string[])[], matches: (row: readonly string[]) => boolean): boolean {
	return rows.filter(matches).length * 2 > rows.length;
}

/** Whether a cell comes again in its column among other values. A column of links may consist of its own name. */
function isValueOf(cell: string, rows: readonly (readonly string[])[], column: number): boolean {
	const values = rows.map((row) => row[column]?.trim() ?? "").filter((value) => value !== "");
	const same = values.filter((value) => value === cell).length;
	return same > 0 && same * 2 <= values.length;
}

function isNoName(cell: string): boolean {
	return cell.length > nameCharactersMax || /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+\.\p{L}+)$/u.test(cell);
}

function isYear(cell: string): boolean {
	return /^(?:19|20)\d\d$/.test(cell.trim());
}

/** A number, an amount, a date or a time. */
function isQuantity(cell: string): boolean {
	const text = cell.trim();
	return text.length <= 40 && /\d/.test(text) && /^[\s\d.,:/%€$£¥()+-]+(?:[TZe][\d:.+-]*Z?)?$/i.test(text);
}
