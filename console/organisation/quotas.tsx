/** Quotas of an organisation: what is used of them in words, and the fields that set them. */

import { Problem } from "../api/client.ts";
import type { Organisation, Quotas } from "../api/wire.ts";
import { Field } from "../parts/fields.tsx";
import { counted, wordsOfBytes, wordsOfCount } from "../parts/values.tsx";

const labels: Readonly<Record<keyof Quotas, string>> = {
	documents: "Documents",
	bytes: "Bytes",
	tokensPerDay: "Tokens a day",
	requestsPerMinute: "Requests a minute",
};
const names = Object.keys(labels) as readonly (keyof Quotas)[];

/** As typed; empty for no limit. */
export type QuotaDraft = Readonly<Record<keyof Quotas, string>>;

export const noQuotas: QuotaDraft = { documents: "", bytes: "", tokensPerDay: "", requestsPerMinute: "" };

export function toDraft(quotas: Quotas): QuotaDraft {
	const typed = names.map((name) => [name, quotas[name] === null ? "" : String(quotas[name])]);
	return Object.fromEntries(typed) as unknown as QuotaDraft;
}

/** @throws Problem where something else than a number was typed, which must not mean that there is no limit */
export function toQuotas(draft: QuotaDraft): Quotas {
	return Object.fromEntries(names.map((name) => [name, numberOf(draft[name], labels[name])])) as unknown as Quotas;
}

/** `10 000` and `10,000` too. */
function numberOf(typed: string, label: string): number | null {
	const digits = typed.replace(/[\s,_]/g, "");
	if (digits === "") return null;
	if (!/^\d+$/.test(digits)) throw new Problem(0, "INPUT_INVALID", `“${label}” should be a whole number, and is “${typed}”`, "Leave it empty for no limit.");
	return Number(digits);
}

interface QuotaFieldsProps {
	readonly draft: QuotaDraft;
	readonly onChange: (draft: QuotaDraft) => void;
}

export function QuotaFields({ draft, onChange }: QuotaFieldsProps) {
	return (
		<fieldset>
			<legend>Quotas: at most so many; an empty one is no limit</legend>
			<div className="parameters">
				{names.map((name) => (
					<Field key={name} label={labels[name]} inputMode="numeric" value={draft[name]} onChange={(typed) => onChange({ ...draft, [name]: typed })} />
				))}
			</div>
		</fieldset>
	);
}

/** `12 of 10,000 documents · 3.4 MB · 0 tokens today` */
export function UsedOfQuotas({ usage, quotas }: Pick<Organisation, "usage" | "quotas">) {
	const { documents, bytes, tokensPerDay, requestsPerMinute } = quotas;
	const of = (used: number, max: number | null, one: string) => (max === null ? counted(used, one) : `${wordsOfCount(used)} of ${counted(max, one)}`);
	const parts = [
		of(usage.documents, documents, "document"),
		bytes === null ? wordsOfBytes(usage.bytes) : `${wordsOfBytes(usage.bytes)} of ${wordsOfBytes(bytes)}`,
		`${of(usage.tokensToday, tokensPerDay, "token")} today`,
		...(requestsPerMinute === null ? [] : [`${counted(requestsPerMinute, "request")} a minute at most`]),
	];
	return <>{parts.join(" · ")}</>;
}
