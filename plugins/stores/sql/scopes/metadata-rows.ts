/** Metadata → the rows by which filters find it, one for each element of a value. */

import { asNumber, asText, fold, type Metadata, type MetadataValue } from "cairn-memory";

export interface ElementRow {
	readonly key: string;
	readonly element: number;
	readonly text: string | null;
	readonly folded: string | null;
	readonly number: number | null;
}

export function metadataRows(metadata: Metadata): readonly ElementRow[] {
	return Object.entries(metadata).flatMap(([key, value]) => elementsOf(value).map((row, element) => ({ key, element, ...row })));
}

type Element = Pick<ElementRow, "text" | "folded" | "number">;

/** An empty list still is a row: the key is there, though nothing it holds can match. */
const nothing: Element = { text: null, folded: null, number: null };

function elementsOf(value: MetadataValue): readonly Element[] {
	if (typeof value === "object") return value.length === 0 ? [nothing] : value.map((element) => ({ ...textForms(element), number: null }));
	const number = asNumber(value);
	return [{ ...textForms(value), number: Number.isNaN(number) ? null : number }];
}

function textForms(value: string | number | boolean): Pick<Element, "text" | "folded"> {
	const text = asText(value);
	return { text, folded: fold(text, true) };
}
