/** Sign-in for MCP clients (OAuth 2.1): what the server says of itself, registration, consent, tokens. Only where the operator has named its address. */

import { InvalidRequestError, OAuthError, ServerError, TooManyRequestsError, UnsupportedGrantTypeError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { asServiceError, ServiceError } from "../../../core/errors/fail.ts";
import { wrongTarget } from "../../oauth/authorization-request.ts";
import type { ConsentSteps } from "../../oauth/consent-steps.ts";
import type { Consents } from "../../oauth/consents.ts";
import { oauthPaths, resourceMetadata, resourceMetadataPath, resourcePath, serverMetadata } from "../../oauth/metadata.ts";
import { readBytes, readJson } from "../../wire/requests/read-body.ts";
import { type Access, open } from "../access.ts";
import { hidden, type Operation } from "../operation.ts";

/** Forms hold keys and tokens. */
const takesSecrets = { ...open, idempotent: "by-key", secret: "body" } as const satisfies Access;
const givesSecrets = { ...takesSecrets, secret: "answer" } as const satisfies Access;

/** More than any form of these; a client's id holds its addresses. */
const formBytesMax = 64 * 1024;

export interface OAuthRouteParts {
	readonly issuer: string;
	readonly consents: Consents;
	readonly steps: ConsentSteps;
	/** @throws InvalidClientMetadataError */
	readonly register: (metadata: unknown) => object;
	/** Counts a request of its network. */
	readonly isAllowed: (request: Request) => boolean;
}

export function oauthRoutes({ issuer, steps, consents, register, isAllowed }: OAuthRouteParts): readonly Operation[] {
	/** Pages of other origins may read it: it says what everybody may know. */
	const known = (body: object) => () => Response.json(body, { headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" } });
	/** What goes wrong is told in the words of OAuth. */
	const answered =
		(act: (request: Request) => Promise<Response>) =>
		async ({ request }: { readonly request: Request }) => {
			try {
				if (!isAllowed(request)) throw new TooManyRequestsError("too many requests from this network: wait a minute");
				return await act(request);
			} catch (thrown) {
				return refusal(thrown);
			}
		};

	async function token(request: Request): Promise<Response> {
		const form = await readForm(request);
		const wrong = wrongTarget(form.get("resource"), issuer);
		if (wrong !== null) throw wrong;
		const clientId = form.get("client_id") ?? "";
		const grantType = form.get("grant_type");
		if (grantType === "refresh_token") return Response.json(await consents.refresh(form.get("refresh_token") ?? "", clientId));
		if (grantType !== "authorization_code") throw new UnsupportedGrantTypeError("grant_type should be authorization_code or refresh_token");
		const verifier = form.get("code_verifier") ?? "";
		if (!/^[\w.~-]{43,128}$/.test(verifier)) throw new InvalidRequestError("code_verifier should be 43 to 128 characters");
		return Response.json(await consents.exchange({ code: form.get("code") ?? "", clientId, redirectUri: form.get("redirect_uri") ?? "", verifier }));
	}

	return [
		hidden(`GET ${resourceMetadataPath}`, open, known(resourceMetadata(issuer))),
		hidden(`GET ${resourceMetadataPath}${resourcePath}`, open, known(resourceMetadata(issuer))),
		hidden("GET /.well-known/oauth-authorization-server", open, known(serverMetadata(issuer))),
		hidden(
			`POST ${oauthPaths.register}`,
			takesSecrets,
			answered(async (request) => Response.json(register(await readJson(request)), { status: 201 })),
		),
		hidden(`GET ${oauthPaths.authorize}`, givesSecrets, ({ request }) => steps.begin(request)),
		hidden(
			`POST ${oauthPaths.authorize}`,
			givesSecrets,
			answered(async (request) => steps.decide(await readForm(request), request)),
		),
		hidden(`POST ${oauthPaths.token}`, givesSecrets, answered(token)),
		hidden(
			`POST ${oauthPaths.revoke}`,
			takesSecrets,
			answered(async (request) => {
				await consents.revoke((await readForm(request)).get("token") ?? "");
				return new Response(null, { status: 200 });
			}),
		),
	];
}

/** @throws InvalidRequestError */
async function readForm(request: Request): Promise<URLSearchParams> {
	if (request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() !== "application/x-www-form-urlencoded")
		throw new InvalidRequestError("the body should be application/x-www-form-urlencoded");
	const form = new URLSearchParams(new TextDecoder().decode(await readBytes(request, formBytesMax)));
	const names = [...form.keys()];
	if (new Set(names).size < names.length) throw new InvalidRequestError("a parameter stands there twice");
	return form;
}

/** @throws what is no fault of the request */
function refusal(thrown: unknown): Response {
	if (thrown instanceof ServiceError && asServiceError(thrown).kind !== "internal")
		return Response.json(new InvalidRequestError(thrown.message).toResponseObject(), { status: 400 });
	if (!(thrown instanceof OAuthError) || thrown instanceof ServerError) throw thrown;
	return Response.json(thrown.toResponseObject(), { status: thrown instanceof TooManyRequestsError ? 429 : 400 });
}
