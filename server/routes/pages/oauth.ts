/** The OAuth 2.1 routes for MCP clients: metadata, registration, consent, tokens. They exist only if the operator has set the server's public URL. */

import { InvalidRequestError, OAuthError, ServerError, TooManyRequestsError, UnsupportedGrantTypeError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import { asServiceError, ServiceError } from "../../../core/errors/fail.ts";
import { resourceError } from "../../oauth/authorization-request.ts";
import type { ConsentSteps } from "../../oauth/consent-steps.ts";
import type { Consents } from "../../oauth/consents.ts";
import { oauthPaths, resourceMetadata, resourceMetadataPath, resourcePath, serverMetadata } from "../../oauth/metadata.ts";
import { readBytes, readJson } from "../../wire/requests/read-body.ts";
import { type Access, publicAccess } from "../access.ts";
import { type Operation, undocumentedOperation } from "../operation.ts";

/** The forms contain API keys and tokens. */
const secretBodyAccess = { ...publicAccess, idempotent: "by-key", secret: "body" } as const satisfies Access;
const secretResponseAccess = { ...secretBodyAccess, secret: "answer" } as const satisfies Access;

/** Larger than any valid form. A client id can be long, because it contains the client's redirect URIs. */
const formBytesMax = 64 * 1024;

export interface OAuthRouteParts {
	readonly issuer: string;
	readonly consents: Consents;
	readonly steps: ConsentSteps;
	/** @throws InvalidClientMetadataError */
	readonly register: (metadata: unknown) => object;
	/** Counts the request for the rate limit of its network. @returns false if there were too many */
	readonly isAllowed: (request: Request) => boolean;
}

export function oauthRoutes({ issuer, steps, consents, register, isAllowed }: OAuthRouteParts): readonly Operation[] {
	/** A handler for public metadata, which pages of all origins may read. */
	const metadataHandler = (body: object) => () =>
		Response.json(body, { headers: { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" } });
	/** Checks the rate limit, and converts errors to OAuth error responses. */
	const oauthHandler =
		(act: (request: Request) => Promise<Response>) =>
		async ({ request }: { readonly request: Request }) => {
			try {
				if (!isAllowed(request)) throw new TooManyRequestsError("too many requests from this network: wait a minute");
				return await act(request);
			} catch (thrown) {
				return errorResponse(thrown);
			}
		};

	async function token(request: Request): Promise<Response> {
		const form = await readForm(request);
		const targetError = resourceError(form.get("resource"), issuer);
		if (targetError !== null) throw targetError;
		const clientId = form.get("client_id") ?? "";
		const grantType = form.get("grant_type");
		if (grantType === "refresh_token") return Response.json(await consents.refresh(form.get("refresh_token") ?? "", clientId));
		if (grantType !== "authorization_code") throw new UnsupportedGrantTypeError("grant_type should be authorization_code or refresh_token");
		const verifier = form.get("code_verifier") ?? "";
		if (!/^[\w.~-]{43,128}$/.test(verifier)) throw new InvalidRequestError("code_verifier should be 43 to 128 characters");
		return Response.json(await consents.exchange({ code: form.get("code") ?? "", clientId, redirectUri: form.get("redirect_uri") ?? "", verifier }));
	}

	return [
		undocumentedOperation(`GET ${resourceMetadataPath}`, publicAccess, metadataHandler(resourceMetadata(issuer))),
		undocumentedOperation(`GET ${resourceMetadataPath}${resourcePath}`, publicAccess, metadataHandler(resourceMetadata(issuer))),
		undocumentedOperation("GET /.well-known/oauth-authorization-server", publicAccess, metadataHandler(serverMetadata(issuer))),
		undocumentedOperation(
			`POST ${oauthPaths.register}`,
			secretBodyAccess,
			oauthHandler(async (request) => Response.json(register(await readJson(request)), { status: 201 })),
		),
		undocumentedOperation(`GET ${oauthPaths.authorize}`, publicAccess, ({ request }) => steps.begin(request)),
		undocumentedOperation(
			`POST ${oauthPaths.authorize}`,
			secretResponseAccess,
			oauthHandler(async (request) => steps.decide(await readForm(request), request)),
		),
		undocumentedOperation(`POST ${oauthPaths.token}`, secretResponseAccess, oauthHandler(token)),
		undocumentedOperation(
			`POST ${oauthPaths.revoke}`,
			secretBodyAccess,
			oauthHandler(async (request) => {
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
	if (new Set(names).size < names.length) throw new InvalidRequestError("a parameter is given twice");
	return form;
}

/** The OAuth response for an error. @throws errors that the request has not caused */
function errorResponse(thrown: unknown): Response {
	if (thrown instanceof ServiceError && asServiceError(thrown).kind !== "internal")
		return Response.json(new InvalidRequestError(thrown.message).toResponseObject(), { status: 400 });
	if (!(thrown instanceof OAuthError) || thrown instanceof ServerError) throw thrown;
	return Response.json(thrown.toResponseObject(), { status: thrown instanceof TooManyRequestsError ? 429 : 400 });
}
