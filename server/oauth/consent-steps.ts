/** The steps of a person's consent: the page is shown, its form is checked, and the browser is redirected to the client. */

import { createHash, randomBytes } from "node:crypto";
import { ServiceError } from "../../core/errors/fail.ts";
import type { ApiKey } from "../../core/ports/account-store.ts";
import type { World } from "../../core/ports/world.ts";
import { isContainerTag } from "../wire/requests/fields.ts";
import { type AuthorizationRequest, accessDenied, errorParameters, readAuthorization, redirectUrl } from "./authorization-request.ts";
import { consentPage, consentPolicy, problemPage } from "./consent-page.ts";
import type { Consents } from "./consents.ts";
import { oauthPaths } from "./metadata.ts";
import { limitKey, type Permission } from "./permission.ts";
import type { ValueSigner } from "./value-signer.ts";

export interface ConsentStepsParts {
	readonly issuer: string;
	readonly signer: ValueSigner;
	readonly consents: Consents;
	readonly world: World;
	/** @throws ServiceError `KEY_INVALID`, `KEYS_WRONG` */
	readonly signIn: (key: string, request: Request) => Promise<ApiKey>;
}

export interface ConsentSteps {
	/** Responds with the consent page, or with an error page or a redirect if the request is invalid. */
	readonly begin: (request: Request) => Response;
	/** Handles the form of the consent page. */
	readonly decide: (form: URLSearchParams, request: Request) => Promise<Response>;
}

/** The form must be sent within this time: long enough for a person to look for an API key. */
const ticketMs = 10 * 60_000;
const ticketPurpose = "consent";
/** The cookie binds the form to the browser that was shown the page, since other sites can neither read nor set it. */
const cookie = "cairn-consent";

export function createConsentSteps({ issuer, signer, consents, world, signIn }: ConsentStepsParts): ConsentSteps {
	function showPage(asked: AuthorizationRequest, nonce: string, status: number, problem: string | null, containerTag = ""): Response {
		const ticket = signer.sign(ticketPurpose, { asked, nonce: sha256(nonce), until: world.now().getTime() + ticketMs });
		const isSecure = issuer.startsWith("https:") ? "; Secure" : "";
		const setCookie = `${cookie}=${nonce}; Path=${oauthPaths.authorize}; HttpOnly; SameSite=Strict; Max-Age=${ticketMs / 1_000}${isSecure}`;
		return htmlResponse(consentPage({ request: asked, ticket, problem, containerTag }), status, asked.redirectUri, { "set-cookie": setCookie });
	}

	/** Null if the form does not come from a page that this server showed to this browser. */
	function openTicket(form: URLSearchParams, { headers }: Request): AuthorizationRequest | null {
		const origin = headers.get("origin");
		const site = headers.get("sec-fetch-site");
		if ((origin !== null && origin !== issuer) || (site !== null && site !== "same-origin")) return null;
		const ticket = signer.verify(ticketPurpose, form.get("ticket") ?? "");
		const isOurs = ticket !== null && ticket["nonce"] === sha256(nonceOf(headers) ?? "") && Number(ticket["until"]) > world.now().getTime();
		return isOurs ? (ticket["asked"] as unknown as AuthorizationRequest) : null;
	}

	return {
		begin: (request) => {
			const result = readAuthorization(new URL(request.url).searchParams, { issuer, signer });
			if ("problem" in result) return htmlResponse(problemPage(result.problem), 400, null);
			if ("redirect" in result) return redirectTo(result.redirect);
			return showPage(result.request, nonceOf(request.headers) ?? randomBytes(32).toString("base64url"), 200, null);
		},
		decide: async (form, request) => {
			const asked = openTicket(form, request);
			if (asked === null) return htmlResponse(problemPage("The page has expired, or was not opened in this browser."), 400, null);
			const redirectTarget = { redirectUri: asked.redirectUri, state: asked.state, issuer };
			if (form.get("decision") !== "allow") return redirectTo(redirectUrl(redirectTarget, errorParameters(accessDenied)));
			const containerTag = form.get("container")?.trim() || null;
			const showAgain = (status: number, problem: string) => showPage(asked, nonceOf(request.headers) ?? "", status, problem, containerTag ?? "");
			const permission: Permission = { role: asked.writes && form.get("role") === "write" ? "write" : "read", containerTag };
			try {
				const key = await signIn(form.get("key")?.trim() ?? "", request);
				const permissionError = checkPermission(key, permission);
				if (permissionError !== null) return showAgain(403, permissionError);
				const code = await consents.begin(key, { client: asked.client, redirectUri: asked.redirectUri, challenge: asked.challenge, ...permission });
				return redirectTo(redirectUrl(redirectTarget, { code }));
			} catch (thrown) {
				if (!(thrown instanceof ServiceError) || !["KEY_INVALID", "KEYS_WRONG"].includes(thrown.code)) throw thrown;
				return thrown.code === "KEY_INVALID"
					? showAgain(401, "This server does not know that key.")
					: showAgain(429, "There were too many wrong keys: wait a few seconds.");
			}
		},
	};
}

function checkPermission(key: ApiKey, permission: Permission): string | null {
	if (permission.containerTag !== null && !isContainerTag(permission.containerTag)) return "A container's name may contain only letters, digits and _ : . -";
	const limitedKey = limitKey(key, permission);
	if (limitedKey === null) return "That key has no access to this container.";
	return permission.role === "write" && key.role === "read" ? "That key may only read." : null;
}

function nonceOf(headers: Headers): string | null {
	return new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]{43})(?:;|$)`).exec(headers.get("cookie") ?? "")?.[1] ?? null;
}

function sha256(text: string): string {
	return createHash("sha256").update(text).digest("base64url");
}

function redirectTo(url: string): Response {
	return new Response(null, { status: 303, headers: { location: url, "cache-control": "no-store", "referrer-policy": "no-referrer" } });
}

function htmlResponse(html: string, status: number, redirectUri: string | null, headers: Readonly<Record<string, string>> = {}): Response {
	return new Response(html, {
		status,
		headers: {
			...headers,
			"content-type": "text/html; charset=utf-8",
			"content-security-policy": consentPolicy(redirectUri),
			"cache-control": "no-store",
			"x-content-type-options": "nosniff",
			// With `no-referrer`, browsers would send the form with the header `Origin: null`.
			"referrer-policy": "same-origin",
		},
	});
}
