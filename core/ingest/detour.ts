/** Whether an address was redirected to something other than its content: a consent page, or a sign-in page. */

import { fail, type ServiceError } from "../errors/fail.ts";

const asksConsent = /^(consent|guce)\./;
const asksWho = /^(accounts|login|signin|sso|auth)\./;

/** @returns the error to throw; null when there was no detour. A request for such a page by its own address returns the page. */
export function detourOf(asked: URL, reached: URL): ServiceError | null {
	if (asked.host === reached.host) return null;
	const shown = asked.origin + asked.pathname;
	if (asksConsent.test(reached.host)) return fail("ADDRESS_CONSENT", shown);
	return asksWho.test(reached.host) ? fail("ADDRESS_PRIVATE", shown, `it leads to ${reached.host}, where one has to sign in`) : null;
}
