/** Tells which records make a table, and makes it: nested records become columns such as `address.city`. */

import { type DataRecord, type DataValue, isRecord, isScalar } from "./data-value.ts";

export interface DataTable {
	readonly header: readonly string[];
	/** How many there are: one for each record, in order. */
	readonly rows: number;
	/** Made when it is asked for: the rows of a long list take as much as the list. */
	readonly rowAt: (index: number) => readonly string[];
}

/** More columns than a person compares; wider records read better line by line. */
const columnsMax = 64;
/** A cell longer than this is prose and no cell. */
const cellCharactersMax = 2_000;
/** Records that share less than this are not of one kind. */
const filledShareMin = 0.4;

/** Null when the values are not records of one kind, or there are fewer than two of them or of their fields. */
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

/** Lists of scalars of about one length; null for anything else. */
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

/** Null when something in it is no cell: a list of records, or prose. */
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

/** Null when there is more than scalars in the list. */
export function joinedScalars(items: readonly DataValue[]): string | null {
	const scalars = items.filter(isScalar);
	return scalars.length < items.length ? null : scalars.filter((scalar) => scalar !== "").join(", ");
}
