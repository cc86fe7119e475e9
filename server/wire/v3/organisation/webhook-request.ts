/** The bodies of `/v3/webhooks` → which events to send where. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { NewWebhook, WebhookChange } from "../../../../core/webhooks/webhook-service.ts";
import { containerTags, unitedTags } from "../../requests/fields.ts";
import { isRecord } from "../../requests/is-record.ts";
import { reader } from "../../requests/reader.ts";
import { eventTypes, toWish } from "./events-request.ts";

const url = Type.String({
	minLength: 1,
	maxLength: limits.addressCharactersMax,
	description: "Where events are posted to: https, or http. A private host has to be allowed by the operator (CAIRN_FETCH_ALLOW).",
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
	isEnabled: Type.Optional(Type.Boolean({ description: "`true` also tries at once what could not be delivered." })),
});

const readNew = reader(createWebhookBody);
const readChange = reader(changeWebhookBody);

/** @throws ServiceError of kind `invalid` */
export function parseCreateWebhook(raw: unknown): NewWebhook {
	const body = readNew(raw);
	return { ...toWish(body.types, unitedTags(undefined, body.containerTags)), url: checkedUrl(body.url), description: body.description ?? null };
}

/** @throws ServiceError of kind `invalid` */
export function parseChangeWebhook(raw: unknown): WebhookChange {
	const body = readChange(isRecord(raw) ? raw : {});
	const wish = toWish(body.types ?? undefined, unitedTags(undefined, body.containerTags ?? undefined));
	return {
		...(body.url === undefined ? {} : { url: checkedUrl(body.url) }),
		...(body.types === undefined ? {} : { types: wish.types }),
		...(body.containerTags === undefined ? {} : { containerTags: wish.containerTags }),
		...(body.description === undefined ? {} : { description: body.description }),
		...(body.isEnabled === undefined ? {} : { isEnabled: body.isEnabled }),
	};
}

/** Whether it leads to a public address is asked at every delivery: names come to mean something else. */
function checkedUrl(text: string): string {
	const parsed = URL.canParse(text) ? new URL(text) : null;
	if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) throw fail("INPUT_INVALID", "url should be an http or https address");
	if (parsed.username !== "" || parsed.password !== "") throw fail("INPUT_INVALID", "url should carry no user name and no password: messages are signed");
	return parsed.href;
}
