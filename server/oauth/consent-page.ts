/** The page on which a person signs in with an API key and chooses what a client may do. It contains no script. */

import { createHash } from "node:crypto";
import { escapeHtml, icon, logo } from "../console/page-parts.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { oauthPaths } from "./metadata.ts";

export interface ConsentPageContent {
	readonly request: AuthorizationRequest;
	/** The signed request. The form returns it, so that the person consents to exactly what the page showed. */
	readonly ticket: string;
	/** The error of the previous attempt; null if there was none. */
	readonly problem: string | null;
	readonly containerTag: string;
}

const styles = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f4ef, #141718); color: light-dark(#1d2320, #e9e7e1); }
body { max-width: 30rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: anywhere; }
.mark { width: 2.5rem; fill: light-dark(#1d6a5b, #6fc9b3); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; }
fieldset { border: 1px solid light-dark(#8b8f88, #737b7a); border-radius: 10px; margin: 1rem 0; padding: .5rem 1rem .8rem; }
label { display: block; margin-top: .5rem; }
input:not([type=radio]) { display: block; box-sizing: border-box; width: 100%; padding: .55rem .7rem; border: 1px solid light-dark(#8b8f88, #737b7a); border-radius: 10px; background: light-dark(#fff, #1c2022); color: inherit; font: inherit; }
small { color: light-dark(#585f5a, #a6aca7); }
.buttons { display: flex; gap: .8rem; margin-top: 1.2rem; }
button { padding: .6rem 1.2rem; border: 1px solid light-dark(#1d6a5b, #6fc9b3); border-radius: 10px; background: none; color: light-dark(#1d6a5b, #6fc9b3); font: inherit; font-weight: 600; }
button[value=allow] { background: light-dark(#1d6a5b, #6fc9b3); color: light-dark(#fff, #0c1f1b); }
:focus-visible { outline: 2px solid light-dark(#1d6a5b, #6fc9b3); outline-offset: 2px; }
.problem { padding: .7rem 1rem; border-radius: 10px; background: light-dark(#fbeae7, #3a1f1b); color: light-dark(#a3281d, #f19b8f); }
`;

const styleHash = createHash("sha256").update(styles).digest("base64");

/** Browsers apply `form-action` to the redirect after a form too, so it includes the origin of the client. */
export function consentPolicy(redirectUri: string | null): string {
	const clientOrigin = redirectUri === null ? "" : ` ${originOf(redirectUri)}`;
	return `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action 'self'${clientOrigin}; base-uri 'none'; frame-ancestors 'none'`;
}

function originOf(uri: string): string {
	const { origin, protocol } = new URL(uri);
	return origin === "null" ? protocol : origin;
}

export function consentPage({ request, ticket, problem, containerTag }: ConsentPageContent): string {
	const { client, redirectUri, writes } = request;
	return htmlPage(
		"Allow access to Cairn",
		`<h1>${escapeHtml(client.name)} asks for your memories</h1>
<p>The client chose this name itself; nobody has checked it. You will be sent back to <strong>${escapeHtml(originOf(redirectUri))}</strong>. Go on only if you have just asked it to connect.</p>
${problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="${oauthPaths.authorize}">
<input type="hidden" name="ticket" value="${escapeHtml(ticket)}">
<fieldset><legend>It may</legend>
<label><input type="radio" name="role" value="read"${writes ? "" : " checked"}> search and read</label>
${writes ? '<label><input type="radio" name="role" value="write" checked> search and read, add, change and forget</label>' : ""}
</fieldset>
<label>Only in the container <small>(optional; leave it empty for all containers of the key)</small><input name="container" value="${escapeHtml(containerTag)}" maxlength="100" autocomplete="off"></label>
<label>API key <small>(stays here: the client does not see it)</small><input name="key" type="password" autocomplete="current-password" maxlength="1024"></label>
<div class="buttons"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form>
<p><small>The access ends when you end it in the console of this server, when the key is revoked, or when the client is not used for thirty days.</small></p>`,
	);
}

export function problemPage(problem: string): string {
	return htmlPage(
		"Access to Cairn",
		`<h1>Access was not given</h1>\n<p class="problem" role="alert">${escapeHtml(problem)}</p>\n<p>Start again in the client.</p>`,
	);
}

export function htmlPage(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${styles}</style>
</head>
<body>
<main>
${logo}
${content}
</main>
</body>
</html>
`;
}
