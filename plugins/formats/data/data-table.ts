/** Makes a table of similar records: nested records become columns such as `address.city`. */

import { type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

export interface DataTable {
	readonly header: readonly string[];
	/** The number of rows: one for each record, in order. */
	readonly rows: number;
	/** Returns a row. Rows are built on demand, since all rows of a long list would take as much memory as the list. */
	readonly rowAt: (index: number) => readonly string[];
}

/** Records with more fields become lines and not rows. */
const columnsMax = 64;
/** A longer value is prose, and its records do not become a table. */
const cellCharactersMax = 2_000;
/** The least share of filled cells. With fewer the records are not similar. */
const filledShareMin = 0.4;

/** Null if the values are not similar records, or there are fewer than two records or two fields. */
export function tableOf(values: readonly DataValue[]): DataTable | null {
	if (values.length < 2) return null;
	const header = new Map<string, number>();
	let filledCount = 0;
	for (const value of values) {
		const fields = isRecord(value) ? flattenRecord(value) : null;
		if (fields === null || fields.length === 0) return null;
		for (const [name] of fields) if (!header.has(name)) header.set(name, header.size);
		if (header.size > columnsMax) return null;
		filledCount += fields.length;
	}
	if (header.size < 2 || filledCount < values.length * header.size * filledShareMin) return null;
	const fieldsAt = (index: number) => {
		const value = values[index];
		return value === undefined || !isRecord(value) ? null : flattenRecord(value);
	};
	return { header: [...header.keys()], rows: values.length, rowAt: (index) => rowOf(fieldsAt(index) ?? [], header) };
}

/** The rows, if the values are lists of scalars; null for anything else. */
export function gridOf(values: readonly DataValue[]): readonly (readonly string[])[] | null {
	if (values.length < 2) return null;
	const rows: (readonly string[])[] = [];
	for (const value of values) {
		if (isScalar(value) || isRecord(value) || value.items.length > columnsMax || value.items.length < 2) return null;
		const cells = value.items.filter(isScalar);
		if (cells.length < value.items.length || cells.some((cell) => cell.length > cellCharactersMax)) return null;
		rows.push(cells);
	}
	return rows;
}

function rowOf(fields: readonly (readonly [string, string])[], header: ReadonlyMap<string, number>): readonly string[] {
	const cells = new Array<string>(header.size).fill("");
	for (const [name, text] of fields) {
		const column = header.get(name) ?? 0;
		cells[column] = cells[column] === "" ? text : `${cells[column]}, ${text}`;
	}
	return cells;
}

/** The fields of a record and its nested records, with their paths. Null if a value cannot be a cell: a list of records, or prose. */
function flattenRecord(record: DataRecord): readonly (readonly [string, string])[] | null {
	const fields: (readonly [string, string])[] = [];
	const visit = ({ entries }: DataRecord, parentPath: string): boolean => {
		for (const [name, value] of entries) {
			const path = parentPath === "" ? name : `${parentPath}.${name}`;
			if (isRecord(value)) {
				if (!visit(value, path)) return false;
				continue;
			}
			const cell = cellOf(value);
			if (cell === null || fields.length >= columnsMax) return false;
			if (cell !== "") fields.push([path, cell]);
		}
		return true;
	};
	return visit(record, "") ? fields : null;
}

function cellOf(value: Exclude<DataValue, DataRecord>): string | null {
	const cell = isScalar(value) ? value : joinScalars(value.items);
	return cell === null || cell.length > cellCharactersMax ? null : cell.trim();
}

/** The scalars of a list, joined by commas. Null if the list contains anything else. */
export function joinScalars(items: readonly DataValue[]): string | null {
	const scalars = items.filter(isScalar);
	return scalars.length < items.length ? null : scalars.filter((scalar) => scalar !== "").join(", ");
}
