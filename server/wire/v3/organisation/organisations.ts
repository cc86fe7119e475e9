/** `/v3/organisations`: organisations with their quotas and what they use. */

import { Type } from "@sinclair/typebox";
import type { NewOrganisation, OrganisationState } from "../../../../core/organisation/organisation-service.ts";
import type { Quotas } from "../../../../core/ports/account-store.ts";
import { displayName } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";

const quota = (description: string) =>
	Type.Optional(
		Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
			description: `${description} If absent or null, there is no limit.`,
		}),
	);

const quotaFields = {
	documents: quota("Documents at most, with attachments."),
	bytes: quota("Bytes of texts and files at most, as they were sent."),
	tokensPerDay: quota("Tokens of language models a day at most."),
	requestsPerMinute: Type.Optional(
		Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()], {
			description: "Requests a minute at most, of all its keys together. If absent or null, there is no limit.",
		}),
	),
};

export const quotasBody = Type.Object(quotaFields, { description: "Without them the organisation has no limits." });
export const organisationBody = Type.Object({
	name: displayName(200, "A display name.", "Harbour Ltd"),
	quotas: Type.Optional(quotasBody),
});

const readQuotas = reader(quotasBody);
const readOrganisation = reader(organisationBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseQuotas(raw: unknown): Quotas {
	return toQuotas(readQuotas(raw));
}

/** @throws ServiceError `INPUT_INVALID` */
export function parseOrganisation(raw: unknown): NewOrganisation {
	const { name, quotas } = readOrganisation(raw);
	return { name: name.trim(), quotas: toQuotas(quotas ?? {}) };
}

function toQuotas({ documents = null, bytes = null, tokensPerDay = null, requestsPerMinute = null }: Partial<Quotas>): Quotas {
	return { documents, bytes, tokensPerDay, requestsPerMinute };
}

const limit = Type.Union([Type.Integer(), Type.Null()], { description: "Null for no limit." });
export const quotasSchema = Type.Object(
	{ documents: limit, bytes: limit, tokensPerDay: limit, requestsPerMinute: limit },
	{ description: "Set by the operator." },
);
const organisationFields = {
	id: Type.String(),
	name: Type.String(),
	slug: Type.String(),
	state: Type.String({ description: "`active`, or `removing` while its data is erased." }),
	quotas: quotasSchema,
	usage: Type.Object({ documents: Type.Integer(), bytes: Type.Integer(), tokensToday: Type.Integer() }),
	createdAt: Type.String({ format: "date-time" }),
};

export const organisationSchema = Type.Object(organisationFields, { $id: "Organisation" });
export const organisationListSchema = Type.Object({ organisations: Type.Array(Type.Object(organisationFields)) }, { $id: "OrganisationList" });
export const newOrganisationSchema = Type.Object(
	{ ...organisationFields, key: Type.String({ description: "Its first key, with the role `admin`. It is returned only this once." }) },
	{ $id: "NewOrganisation" },
);

export function toOrganisation({ id, name, slug, quotas, stored, tokensToday, removedAt, createdAt }: OrganisationState) {
	const state = removedAt === null ? "active" : "removing";
	return { id, name, slug, state, quotas, usage: { ...stored, tokensToday }, createdAt: createdAt.toISOString() };
}
