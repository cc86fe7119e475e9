/** A value read from a data format such as JSON, YAML or XML: unparsed scalars, lists, and records whose field names may repeat. */

/** A scalar is represented by its text, and `null` by the empty string. */
export type DataValue = string | DataList | DataRecord;

export interface DataList {
	readonly kind: "list";
	readonly items: readonly DataValue[];
}

export interface DataRecord {
	readonly kind: "record";
	readonly entries: readonly (readonly [name: string, value: DataValue])[];
}

export function isScalar(value: DataValue): value is string {
	return typeof value === "string";
}

export function isRecord(value: DataValue): value is DataRecord {
	return typeof value !== "string" && value.kind === "record";
}

/** The non-empty scalar of this name, or null. */
export function scalarAt(value: DataValue, name: string): string | null {
	if (!isRecord(value)) return null;
	const found = value.entries.find(([key, entry]) => key === name && isScalar(entry))?.[1];
	return found !== undefined && isScalar(found) && found.trim() !== "" ? found : null;
}
