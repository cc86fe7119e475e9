/** Makes a table of similar records: nested records become columns such as `address.city`. */

import { type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

export interface DataTable {
	readonly header: readonly string[];
	/** The number of rows: one for each record, in order. */
	readonly rows: number;
	/** Made on demand: all rows of a long list would take as much memory as the list. */
	readonly rowAt: (index: number) => readonly string[];
}

/** Wider records become lines, not rows. */
const columnsMax = 64;
/** A longer value is prose, so the records are no table. */
const cellCharactersMax = 2_000;
/** The share of filled cells below which the records are not similar. */
const filledShareMin = 0.4;

/** Null when the values are not similar records, or there are fewer than two records or two fields. */
export function tableOf(values: readonly DataValue[]): DataTable | null {
	if (values.length < 2) return null;
	const header = new Map<string, number>();
	let filled = 0;
	for (const value of values) {
		const flat = isRecord(value) ? flatEntries(value) : null;
		if (flat === null || flat.length === 0) return null;
		for (const [name] of flat) if (!header.has(name)) header.set(name, header.size);
		if (header.size > columnsMax) return null;
		filled += flat.length;
	}
	if (header.size < 2 || filled < values.length * header.size * filledShareMin) return null;
	const flatAt = (index: number) => {
		const value = values[index];
		return value === undefined || !isRecord(value) ? null : flatEntries(value);
	};
	return { header: [...header.keys()], rows: values.length, rowAt: (index) => rowOf(flatAt(index) ?? [], header) };
}

/** The rows, for lists of scalars of about the same length; null for anything else. */
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

function rowOf(flat: readonly (readonly [string, string])[], header: ReadonlyMap<string, number>): readonly string[] {
	const cells = new Array<string>(header.size).fill("");
	for (const [name, text] of flat) {
		const column = header.get(name) ?? 0;
		cells[column] = cells[column] === "" ? text : `${cells[column]}, ${text}`;
	}
	return cells;
}

/** Null when a value cannot be a cell: a list of records, or prose. */
function flatEntries(record: DataRecord): readonly (readonly [string, string])[] | null {
	const flat: (readonly [string, string])[] = [];
	const visit = ({ entries }: DataRecord, above: string): boolean => {
		for (const [name, value] of entries) {
			const path = above === "" ? name : `${above}.${name}`;
			if (isRecord(value)) {
				if (!visit(value, path)) return false;
				continue;
			}
			const cell = cellOf(value);
			if (cell === null || flat.length >= columnsMax) return false;
			if (cell !== "") flat.push([path, cell]);
		}
		return true;
	};
	return visit(record, "") ? flat : null;
}

function cellOf(value: Exclude<DataValue, DataRecord>): string | null {
	const cell = isScalar(value) ? value : joinedScalars(value.items);
	return cell === null || cell.length > cellCharactersMax ? null : cell.trim();
}

/** Null when the list contains anything but scalars. */
export function joinedScalars(items: readonly DataValue[]): string | null {
	const scalars = items.filter(isScalar);
	return scalars.length < items.length ? null : scalars.filter((scalar) => scalar !== "").join(", ");
}
