/** Swagger UI from the package swagger-ui-dist, without requests to other hosts. */

import { fileURLToPath } from "node:url";

export interface SwaggerPage {
	/** Where the OpenAPI document is, `/openapi.json` say. */
	readonly specUrl: string;
	/** Under which path `swaggerAsset` is served. */
	readonly assetsUrl: string;
}

export interface SwaggerAsset {
	readonly body: Blob;
	readonly mediaType: string;
}

/**
 * What the page may load, to be sent as `Content-Security-Policy`: this server alone. The interface draws its icons
 * from `data:` addresses and writes style attributes; scripts are files only, so text in the document cannot become one.
 */
export const swaggerPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** The whole page; its own script is a file as well, and reads the address of the document from an attribute. */
export function swaggerPage({ specUrl, assetsUrl }: SwaggerPage): string {
	const assets = escapeAttribute(assetsUrl);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API</title>
<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/index.css">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui" data-spec-url="${escapeAttribute(specUrl)}"></div>
<noscript>This page needs JavaScript. The OpenAPI document is at <a href="${escapeAttribute(specUrl)}">${escapeAttribute(specUrl)}</a>.</noscript>
<script src="${assets}/swagger-ui-bundle.js"></script>
<script src="${assets}/start.js"></script>
</body>
</html>
`;
}

/** The file behind one name, or null: only names on the list are ever turned into a path. */
export function swaggerAsset(name: string): SwaggerAsset | null {
	if (name === "start.js") return { body: new Blob([startScript]), mediaType: assetTypes["swagger-ui-bundle.js"] };
	if (!isPackaged(name)) return null;
	return { body: Bun.file(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))), mediaType: assetTypes[name] };
}

/** All that the page needs of the package's twelve megabytes. */
const assetTypes = {
	"favicon-32x32.png": "image/png",
	"index.css": "text/css; charset=utf-8",
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"swagger-ui.css": "text/css; charset=utf-8",
} as const;

/**
 * `validatorUrl: null` keeps the document from being sent to a public validator. Keys typed into *Authorize* are kept in
 * the page and not in the browser's storage. The base layout has no field for the address of some other document.
 */
const startScript = `const place = document.getElementById("swagger-ui");
window.ui = SwaggerUIBundle({
	url: place.dataset.specUrl,
	domNode: place,
	deepLinking: true,
	displayRequestDuration: true,
	persistAuthorization: false,
	presets: [SwaggerUIBundle.presets.apis],
	layout: "BaseLayout",
	queryConfigEnabled: false,
	tryItOutEnabled: true,
	validatorUrl: null,
});
`;

function isPackaged(name: string): name is keyof typeof assetTypes {
	return Object.hasOwn(assetTypes, name);
}

function escapeAttribute(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
