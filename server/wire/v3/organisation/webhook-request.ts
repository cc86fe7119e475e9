/** Parses the bodies of `/v3/webhooks`: which events to send to which URL. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { NewWebhook, WebhookChange } from "../../../../core/webhooks/webhook-service.ts";
import { containerTags, mergeTags } from "../../requests/fields.ts";
import { isRecord } from "../../requests/is-record.ts";
import { reader } from "../../requests/reader.ts";
import { eventTypes, toEventFilter } from "./events-request.ts";

const url = Type.String({
	minLength: 1,
	maxLength: limits.addressCharactersMax,
	description: "The https or http URL that events are posted to. A private host has to be allowed by the operator (CAIRN_FETCH_ALLOW).",
	examples: ["https://example.com/cairn-events"],
});
const description = Type.String({ maxLength: 1_000, description: "A note of your own." });
/** `null` removes the restriction. */
const typesOrAll = Type.Union([eventTypes, Type.Null()], { nullable: true, description: "Only these events; `null` means all." });
const tagsOrAll = Type.Union([...containerTags.anyOf, Type.Null()], { nullable: true, description: "Only events of these containers; `null` means all." });

export const createWebhookBody = Type.Object({
	url,
	types: Type.Optional(eventTypes),
	containerTags: Type.Optional(containerTags),
	description: Type.Optional(description),
});

export const changeWebhookBody = Type.Object({
	url: Type.Optional(url),
	types: Type.Optional(typesOrAll),
	containerTags: Type.Optional(tagsOrAll),
	description: Type.Optional(Type.Union([description, Type.Null()], { nullable: true })),
	isEnabled: Type.Optional(Type.Boolean({ description: "`true` also retries failed deliveries at once." })),
});

const readNew = reader(createWebhookBody);
const readChange = reader(changeWebhookBody);

/** @throws ServiceError of kind `invalid` */
export function parseCreateWebhook(raw: unknown): NewWebhook {
	const body = readNew(raw);
	return { ...toEventFilter(body.types, mergeTags(undefined, body.containerTags)), url: checkUrl(body.url), description: body.description ?? null };
}

/** @throws ServiceError of kind `invalid` */
export function parseChangeWebhook(raw: unknown): WebhookChange {
	const body = readChange(isRecord(raw) ? raw : {});
	const filter = toEventFilter(body.types ?? undefined, mergeTags(undefined, body.containerTags ?? undefined));
	return {
		...(body.url === undefined ? {} : { url: checkUrl(body.url) }),
		...(body.types === undefined ? {} : { types: filter.types }),
		...(body.containerTags === undefined ? {} : { containerTags: filter.containerTags }),
		...(body.description === undefined ? {} : { description: body.description }),
		...(body.isEnabled === undefined ? {} : { isEnabled: body.isEnabled }),
	};
}

/** Whether the host is public is checked at every delivery, because DNS entries change. */
function checkUrl(text: string): string {
	const parsed = URL.canParse(text) ? new URL(text) : null;
	if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) throw fail("INPUT_INVALID", "url should be an http or https URL");
	if (parsed.username !== "" || parsed.password !== "")
		throw fail("INPUT_INVALID", "url should have no user name and no password: messages are signed instead");
	return parsed.href;
}
