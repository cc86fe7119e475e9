/** The HTML page of the web console. It loads a style sheet and a script, which renders everything else. */

import { icon } from "./page-parts.ts";

/**
 * React Aria inserts an inline style element unless the page has an element with this id. The style sheet contains the one rule
 * of that element and has its id, so that the Content-Security-Policy can forbid inline styles.
 */
const styleId = "react-aria-pressable-style";

/** The page loads only the `main-` files; the script loads the others when needed. @param names of the files under `assetsUrl` */
export function consolePage(names: readonly string[], assetsUrl: string): string {
	const withExtension = (extension: string) => names.filter((name) => name.startsWith("main-") && name.endsWith(extension));
	const styles = withExtension(".css").map((name) => `<link rel="stylesheet" id="${styleId}" href="${assetsUrl}/${name}">`);
	const scripts = withExtension(".js").map((name) => `<script type="module" src="${assetsUrl}/${name}"></script>`);
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
