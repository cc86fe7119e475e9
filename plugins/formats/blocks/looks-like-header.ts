/** Guesses from the cells whether the first row of a table is a header. */

/** This many rows are enough to see the type of a column. */
const inspectedRowsMax = 50;

/** The first row is a header unless it looks like the rows below: numbers over numbers, or the same name twice. */
export function looksLikeHeader(table: readonly (readonly string[])[]): boolean {
	const [first, ...rest] = table.slice(0, inspectedRowsMax);
	if (first === undefined || rest.length === 0) return false;
	const names = first.map((cell) => cell.trim().toLowerCase()).filter((name) => name !== "");
	if (new Set(names).size < names.length) return false;
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

function mostly(rows: readonly (readonly string[])[], matches: (row: readonly string[]) => boolean): boolean {
	return rows.filter(matches).length * 2 > rows.length;
}

function isYear(cell: string): boolean {
	return /^(?:19|20)\d\d$/.test(cell.trim());
}

/** A number, an amount, a date or a time. */
function isQuantity(cell: string): boolean {
	const text = cell.trim();
	return text.length <= 40 && /\d/.test(text) && /^[\s\d.,:/%€$£¥()+-]+(?:[TZe][\d:.+-]*Z?)?$/i.test(text);
}
