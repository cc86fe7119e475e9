/** What all pages of this server have in common: the Content-Security-Policy, and the logo of Cairn. */

/** The `Content-Security-Policy` header of a page. It allows only files of this server, so that injected text cannot run as a script. */
export const contentSecurityPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** Three stones on top of each other. */
const stones = '<ellipse cx="16" cy="25.5" rx="13" ry="5"/><ellipse cx="17" cy="16" rx="9" ry="4.2"/><ellipse cx="15" cy="8" rx="5.5" ry="3.4"/>';

export const logo = `<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">${stones}</svg>`;

export const icon = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#2f7d6b">${stones}</svg>`)}`;

export function escapeHtml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
