/** The page of the web console: it names its script and its style sheet, and everything else is drawn by the script. */

/** The `Content-Security-Policy` of the page: only files of this server, so that no text can become a script. */
export const consolePolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** React Aria would write a style element of this id where none is; the style sheet holds its one rule, so the policy can forbid style elements. */
const styleId = "react-aria-pressable-style";

/** Three stones on each other. */
const icon = `data:image/svg+xml,${encodeURIComponent(
	'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#2f7d6b"><ellipse cx="16" cy="25.5" rx="13" ry="5"/><ellipse cx="17" cy="16" rx="9" ry="4.2"/><ellipse cx="15" cy="8" rx="5.5" ry="3.4"/></svg>',
)}`;

/** The page asks for what it begins with; the script asks for its parts. @param names of the files in the folder of assets */
export function consolePage(names: readonly string[], assetsUrl: string): string {
	const ending = (wanted: string) => names.filter((name) => name.startsWith("main-") && name.endsWith(wanted));
	const styles = ending(".css").map((name) => `<link rel="stylesheet" id="${styleId}" href="${assetsUrl}/${name}">`);
	const scripts = ending(".js").map((name) => `<script type="module" src="${assetsUrl}/${name}"></script>`);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cairn</title>
<link rel="icon" href="${icon}">
${styles.join("\n")}
${scripts.join("\n")}
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The API is described at <a href="/openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`;
}
