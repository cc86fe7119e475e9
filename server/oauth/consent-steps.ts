/** The steps of a person's consent: the page is shown, what is sent back is checked, and the browser goes back to the client. */

import { createHash, randomBytes } from "node:crypto";
import { ServiceError } from "../../core/errors/fail.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import { isContainerTag } from "../wire/requests/fields.ts";
import { type AuthorizationRequest, answerTo, denied, errorAnswer, readAuthorization } from "./authorization-request.ts";
import { consentPage, consentPolicy, problemPage } from "./consent-page.ts";
import type { Consents } from "./consents.ts";
import { oauthPaths } from "./metadata.ts";
import { narrowed, type Permission } from "./permission.ts";
import type { Seal } from "./sealed.ts";

export interface ConsentStepsParts {
	readonly issuer: string;
	readonly seal: Seal;
	readonly consents: Consents;
	readonly world: World;
	/** @throws ServiceError `KEY_INVALID`, `KEYS_WRONG` */
	readonly signIn: (key: string, request: Request) => Promise<ApiKey>;
}

export interface ConsentSteps {
	/** The page, or the way back with what is wrong. */
	readonly begin: (request: Request) => Response;
	readonly decide: (form: URLSearchParams, request: Request) => Promise<Response>;
}

/** A person finds a key within this time. */
const ticketMs = 10 * 60_000;
const purpose = "consent";
/** Ties what is sent back to the browser that was shown the page: another site can neither read nor set it. */
const cookie = "cairn-consent";

export function createConsentSteps({ issuer, seal, consents, world, signIn }: ConsentStepsParts): ConsentSteps {
	function show(asked: AuthorizationRequest, nonce: string, status: number, problem: string | null, containerTag = ""): Response {
		const ticket = seal.seal(purpose, { asked, nonce: hashed(nonce), until: world.now().getTime() + ticketMs });
		const isSecure = issuer.startsWith("https:") ? "; Secure" : "";
		const kept = `${cookie}=${nonce}; Path=${oauthPaths.authorize}; HttpOnly; SameSite=Strict; Max-Age=${ticketMs / 1_000}${isSecure}`;
		return page(consentPage({ request: asked, ticket, problem, containerTag }), status, asked.redirectUri, { "set-cookie": kept });
	}

	/** Null for what did not come from a page that this browser was shown here. */
	function openTicket(form: URLSearchParams, { headers }: Request): AuthorizationRequest | null {
		const origin = headers.get("origin");
		const site = headers.get("sec-fetch-site");
		if ((origin !== null && origin !== issuer) || (site !== null && site !== "same-origin")) return null;
		const ticket = seal.open(purpose, form.get("ticket") ?? "");
		const isOurs = ticket !== null && ticket["nonce"] === hashed(nonceOf(headers) ?? "") && Number(ticket["until"]) > world.now().getTime();
		return isOurs ? (ticket["asked"] as unknown as AuthorizationRequest) : null;
	}

	return {
		begin: (request) => {
			const read = readAuthorization(new URL(request.url).searchParams, { issuer, seal });
			if ("problem" in read) return page(problemPage(read.problem), 400, null);
			if ("redirect" in read) return goTo(read.redirect);
			return show(read.request, nonceOf(request.headers) ?? randomBytes(32).toString("base64url"), 200, null);
		},
		decide: async (form, request) => {
			const asked = openTicket(form, request);
			if (asked === null) return page(problemPage("The page is too old, or was not opened in this browser."), 400, null);
			const back = { redirectUri: asked.redirectUri, state: asked.state, issuer };
			if (form.get("decision") !== "allow") return goTo(answerTo(back, errorAnswer(denied)));
			const containerTag = form.get("container")?.trim() || null;
			const again = (status: number, problem: string) => show(asked, nonceOf(request.headers) ?? "", status, problem, containerTag ?? "");
			const permission: Permission = { role: asked.writes && form.get("role") === "write" ? "write" : "read", containerTag };
			try {
				const key = await signIn(form.get("key")?.trim() ?? "", request);
				const fault = faultOf(key, permission);
				if (fault !== null) return again(403, fault);
				const code = await consents.begin(key, { client: asked.client, redirectUri: asked.redirectUri, challenge: asked.challenge, ...permission });
				return goTo(answerTo(back, { code }));
			} catch (thrown) {
				if (!(thrown instanceof ServiceError) || !["KEY_INVALID", "KEYS_WRONG"].includes(thrown.code)) throw thrown;
				return thrown.code === "KEY_INVALID"
					? again(401, "This server does not know that key.")
					: again(429, "There were too many wrong keys: wait a few seconds.");
			}
		},
	};
}

function faultOf(key: ApiKey, permission: Permission): string | null {
	if (permission.containerTag !== null && !isContainerTag(permission.containerTag)) return "A container's name is letters, digits and _ : . - alone.";
	const held = narrowed(key, permission);
	if (held === null) return "That key does not reach this container.";
	return permission.role === "write" && key.role === "read" ? "That key may only read." : null;
}

function nonceOf(headers: Headers): string | null {
	return new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{43})(?:;|$)`).exec(headers.get("cookie") ?? "")?.[1] ?? null;
}

function hashed(text: string): string {
	return createHash("sha256").update(text).digest("base64url");
}

function goTo(address: string): Response {
	return new Response(null, { status: 303, headers: { location: address, "cache-control": "no-store", "referrer-policy": "no-referrer" } });
}

function page(html: string, status: number, redirectUri: string | null, headers: Readonly<Record<string, string>> = {}): Response {
	return new Response(html, {
		status,
		headers: {
			...headers,
			"content-type": "text/html; charset=utf-8",
			"content-security-policy": consentPolicy(redirectUri),
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			// With `no-referrer` a browser would send the form with the origin `null`.
			"referrer-policy": "same-origin",
		},
	});
}
