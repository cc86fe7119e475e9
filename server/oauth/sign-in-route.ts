/** Where a browser goes during a sign-in at a provider: back to this server, and from here only to pages that are allowed. */

import type { SignInRoute } from "../../core/connections/sign-in.ts";
import { fail } from "../../core/errors/fail.ts";
import type { Settings } from "../settings/settings.ts";

/** @throws ServiceError `REDIRECT_FORBIDDEN` if the browser may not be sent to `redirectUrl` */
export type CreateSignInRoute = (request: Request, provider: string, redirectUrl: string | null) => SignInRoute;

/** What a message shows of a URL that a client sent. */
const shownCharactersMax = 200;

/** Behind a proxy the server does not know its own address, so the operator's setting comes first. */
export function createSignInRoute({ oauthAddress, redirectOrigins }: Pick<Settings, "oauthAddress" | "redirectOrigins">): CreateSignInRoute {
	return (request, provider, redirectUrl) => {
		const own = oauthAddress ?? new URL(request.url).origin;
		const allowed = new Set([own, ...redirectOrigins]);
		const redirect = redirectUrl === null ? null : URL.parse(redirectUrl);
		const isAllowed = redirect !== null && /^https?:$/.test(redirect.protocol) && (allowed.has("*") || allowed.has(redirect.origin));
		if (redirectUrl !== null && !isAllowed) throw fail("REDIRECT_FORBIDDEN", redirectUrl.slice(0, shownCharactersMax));
		return { redirectUri: `${own}/v3/connections/auth/callback/${encodeURIComponent(provider)}`, redirectsTo: redirect?.href ?? null };
	};
}
