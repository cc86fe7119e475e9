/** What a browser gets at the end of a sign-in at a provider: a redirect, or a page that tells how it went. */

import type { FinishedSignIn } from "../../core/connections/sign-in.ts";
import { ServiceError } from "../../core/errors/fail.ts";
import { escapeHtml } from "../console/page-parts.ts";
import { statusFor } from "../wire/responses/error.ts";
import { consentPolicy, htmlPage } from "./consent-page.ts";

/** A page of the client gets the code of the error as `error`, and its message as `error_description`, like from OAuth itself. */
export function signInResponse(finished: FinishedSignIn | ServiceError): Response {
	const { redirectsTo, result } = finished instanceof ServiceError ? { redirectsTo: null, result: finished } : finished;
	if (redirectsTo === null) return result instanceof ServiceError ? problemPage(result) : donePage(result.connection.provider);
	const address = new URL(redirectsTo);
	if (result instanceof ServiceError) {
		address.searchParams.set("error", result.code);
		address.searchParams.set("error_description", result.message);
	}
	return new Response(null, { status: 302, headers: { location: address.href, "cache-control": "no-store" } });
}

function donePage(provider: string): Response {
	return page("Signed in", `<h1>You are signed in</h1>\n<p>Your documents of ${escapeHtml(provider)} are now brought in. You can close this page.</p>`, 200);
}

function problemPage(error: ServiceError): Response {
	const hint = error.hint === null ? "" : `\n<p>${escapeHtml(error.hint)}.</p>`;
	return page("Not signed in", `<h1>You are not signed in</h1>\n<p class="problem" role="alert">${escapeHtml(error.message)}</p>${hint}`, statusFor(error));
}

function page(title: string, content: string, status: number): Response {
	const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": consentPolicy(null), "cache-control": "no-store" };
	return new Response(htmlPage(title, content), { status, headers });
}
