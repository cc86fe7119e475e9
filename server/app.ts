/** Builds the app with all routes. It does not listen on a port yet. */

import { Elysia } from "elysia";
import type { KeyService } from "../core/access/key-service.ts";
import type { BrowseService } from "../core/browse/browse-service.ts";
import type { ConnectionService } from "../core/connections/connection-service.ts";
import type { ContainerService } from "../core/containers/container-service.ts";
import { asServiceError, fail } from "../core/errors/fail.ts";
import type { EventService } from "../core/events/event-service.ts";
import type { UsageService } from "../core/language/usage-service.ts";
import type { MemoryService } from "../core/memories/memory-service.ts";
import { limits } from "../core/model/limits.ts";
import type { OrganisationService } from "../core/organisation/organisation-service.ts";
import type { SettingsService } from "../core/organisation/settings-service.ts";
import type { RateLimit } from "../core/ports/account-store.ts";
import type { MediaTypes } from "../core/ports/media-types.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { World } from "../core/ports/world.ts";
import type { ProfileService } from "../core/profile/profile-service.ts";
import type { RemovalService } from "../core/removals/removal-service.ts";
import type { ReviewService } from "../core/review/review-service.ts";
import type { Service } from "../core/service.ts";
import type { WebhookService } from "../core/webhooks/webhook-service.ts";
import { createEnforcement } from "./auth/enforce.ts";
import type { DemandKnownHost } from "./auth/known-hosts.ts";
import { createRequestGuard, keyOf } from "./auth/request-guard.ts";
import type { SignedLinks } from "./auth/signed-links.ts";
import type { BackupService } from "./backup/backup-service.ts";
import { createRespondOnce } from "./idempotency/respond-once.ts";
import type { Machine } from "./machine.ts";
import type { OAuth, OAuthParts } from "./oauth/create-oauth.ts";
import { createGivenConsents } from "./oauth/given-consents.ts";
import { resourcePath, wwwAuthenticate } from "./oauth/metadata.ts";
import type { CreateSignInRoute } from "./oauth/sign-in-route.ts";
import { currentContext } from "./observation/context.ts";
import type { Metrics } from "./observation/metrics.ts";
import { createObserveRequest, requestIdOf } from "./observation/observe-request.ts";
import type { ThreadObserver } from "./observation/observer.ts";
import type { Router } from "./router/create-router.ts";
import { browseRoutes } from "./routes/documents/browse.ts";
import { documentListRoutes } from "./routes/documents/document-lists.ts";
import { documentRoutes } from "./routes/documents/documents.ts";
import { fileRoutes } from "./routes/documents/files.ts";
import { pageRoutes } from "./routes/documents/pages.ts";
import { removalRoutes } from "./routes/documents/removals.ts";
import { sourceRoutes } from "./routes/documents/sources.ts";
import { uploadRoutes } from "./routes/documents/uploads.ts";
import { conversationRoutes } from "./routes/memories/conversations.ts";
import { graphRoutes } from "./routes/memories/graph.ts";
import { inferredRoutes } from "./routes/memories/inferred.ts";
import { memoryRoutes } from "./routes/memories/memories.ts";
import { profileRoutes } from "./routes/memories/profile.ts";
import { reviewRoutes } from "./routes/memories/review.ts";
import { oldPathOperations } from "./routes/old-paths.ts";
import type { Operation } from "./routes/operation.ts";
import { backupRoutes } from "./routes/organisation/backups.ts";
import { connectionRoutes } from "./routes/organisation/connections.ts";
import { consentRoutes } from "./routes/organisation/consents.ts";
import { containerTagRoutes } from "./routes/organisation/container-tags.ts";
import { eventRoutes } from "./routes/organisation/events.ts";
import { keyRoutes } from "./routes/organisation/keys.ts";
import { machineRoutes } from "./routes/organisation/machine.ts";
import { organisationRoutes } from "./routes/organisation/organisations.ts";
import { settingsRoutes } from "./routes/organisation/settings.ts";
import { usageRoutes } from "./routes/organisation/usage.ts";
import { webhookRoutes } from "./routes/organisation/webhooks.ts";
import { consoleRoutes } from "./routes/pages/console.ts";
import { descriptionRoutes } from "./routes/pages/description.ts";
import { docsRoutes } from "./routes/pages/docs.ts";
import { healthRoutes, indexRoutes } from "./routes/pages/health.ts";
import { mcpRoutes } from "./routes/pages/mcp.ts";
import { metricsRoutes } from "./routes/pages/metrics.ts";
import { routerRoutes } from "./routes/router.ts";
import { searchRoutes } from "./routes/search.ts";
import type { ServerRole } from "./settings/settings.ts";
import { cleanTexts } from "./wire/requests/reader.ts";
import { errorResponse, statusFor } from "./wire/responses/error.ts";
import { createCors, requestIdHeader, standardHeaders } from "./wire/responses/headers.ts";
import { missingRoute } from "./wire/responses/missing-route.ts";

export interface AppParts {
	readonly role: ServerRole;
	/** Whether the thread runs that works on jobs. */
	readonly isWorking: () => boolean;
	readonly service: Service;
	readonly browse: BrowseService;
	readonly connections: ConnectionService;
	readonly containers: ContainerService;
	readonly settings: SettingsService;
	readonly memories: MemoryService;
	readonly profiles: ProfileService;
	readonly removals: RemovalService;
	readonly reviews: ReviewService;
	readonly keys: KeyService;
	readonly events: EventService;
	readonly webhooks: WebhookService;
	readonly usage: UsageService;
	readonly backups: BackupService;
	readonly machine: Machine;
	readonly organisations: OrganisationService;
	readonly storage: Storage;
	readonly mediaTypes: MediaTypes;
	readonly links: SignedLinks;
	readonly world: World;
	/** Null if nothing is observed. */
	readonly observer: ThreadObserver | null;
	readonly metrics: Metrics;
	/** The token that may read the metrics; null if an operator's key may. */
	readonly metricsToken: string | null;
	readonly fileBytesMax: number;
	/** The rate limit of keys without one of their own; null for none. */
	readonly rateLimit: RateLimit | null;
	readonly corsOrigins: readonly string[];
	readonly demandKnownHost: DemandKnownHost;
	readonly signInRoute: CreateSignInRoute;
	/** Null if none is configured. */
	readonly router: Router | null;
	/** Null if MCP clients cannot sign in by OAuth. */
	readonly createOAuth: ((parts: Pick<OAuthParts, "signIn" | "addressOf">) => OAuth) | null;
}

/** Elysia's router. Its type says that it returns a function; it returns the response of the route. */
type Respond = (request: Request) => Promise<Response>;

export function createApp({
	role,
	isWorking,
	keys,
	service,
	browse,
	connections,
	containers,
	settings,
	memories,
	profiles,
	removals,
	reviews,
	events,
	webhooks,
	usage,
	backups,
	machine,
	organisations,
	storage,
	mediaTypes,
	links,
	world,
	observer,
	metrics,
	metricsToken,
	fileBytesMax,
	rateLimit,
	corsOrigins,
	demandKnownHost,
	signInRoute,
	router,
	createOAuth,
}: AppParts) {
	const addressOf = (request: Request) => app.server?.requestIP(request)?.address ?? null;
	const guard = createRequestGuard(storage, rateLimit, world, addressOf, async (token) => (await oauth?.keyOf(token)) ?? null);
	const oauth = createOAuth?.({ signIn: guard.signIn, addressOf }) ?? null;
	const once = createRespondOnce({ storage, world, bodyBytesMax: fileBytesMax + limits.requestBodyBytesMax });
	const answerFailed = (thrown: unknown, request: Request, requestId: string) => answerError(thrown, request, requestId, world);
	const enforce = createEnforcement({ accounts: storage.accounts, guard, once, links, world, answerError: answerFailed });
	const cors = createCors(corsOrigins);
	const webConsole = consoleRoutes();
	const ofEveryRole = [...healthRoutes({ storage, role, isWorking }), ...metricsRoutes(metrics, metricsToken)];
	// The order of the OpenAPI description, with the most important first.
	const current = [
		...indexRoutes(webConsole),
		...ofEveryRole,
		...documentRoutes(service, mediaTypes),
		...uploadRoutes(service, fileBytesMax),
		...documentListRoutes(service, mediaTypes),
		...browseRoutes(browse),
		...fileRoutes(service, links, world),
		...pageRoutes(service),
		...conversationRoutes(service),
		...searchRoutes(service),
		...memoryRoutes(memories),
		...graphRoutes(memories),
		...reviewRoutes(reviews),
		...profileRoutes(profiles, service),
		...inferredRoutes(reviews),
		...containerTagRoutes(containers),
		...connectionRoutes(connections, signInRoute),
		...settingsRoutes(settings),
		...usageRoutes(usage),
		...backupRoutes(backups, storage),
		...machineRoutes(machine),
		...organisationRoutes(organisations),
		...removalRoutes(removals),
		...sourceRoutes(removals),
		...keyRoutes(keys, storage.accounts, world, router !== null),
		...consentRoutes(createGivenConsents({ storage, world })),
		...eventRoutes(events, guard.revalidate),
		...webhookRoutes(webhooks),
		...mcpRoutes((request, caller) => app.handle(guard.trust(request, caller))),
		...(router === null ? [] : routerRoutes(router)),
	];
	const ofApi = () => [
		...current,
		...oldPathOperations(current),
		...descriptionRoutes(current),
		...webConsole.routes,
		...docsRoutes(),
		...(oauth?.routes ?? []),
	];
	const operations = role === "worker" ? ofEveryRole : ofApi();
	/** Routes that may be suggested: documented ones and their old names. */
	const shown = operations.filter(({ detail, isOld }) => detail !== null || isOld === true);
	const observeRequest = createObserveRequest(observer, world.randomBytes);

	async function respond(request: Request, handle: Respond): Promise<Response> {
		const refusal = refusalOf(request, demandKnownHost, world.randomBytes);
		if (refusal !== null) return refusal;
		const preflight = cors.preflight(request);
		if (preflight !== null) return preflight;
		const response = await handle(request);
		for (const [name, value] of Object.entries(cors.headersFor(request))) response.headers.set(name, value);
		if (oauth !== null && response.status === 401 && new URL(request.url).pathname === resourcePath)
			response.headers.set("www-authenticate", wwwAuthenticate(oauth.issuer, keyOf(request.headers) !== null));
		return response;
	}

	const app = new Elysia({
		serve: {
			// Each route has a limit of its own and responds with an error; Bun's limit would give an empty response.
			maxRequestBodySize: Number.MAX_SAFE_INTEGER,
			// A second server on the same port fails to start; otherwise the system would distribute requests between the two.
			reusePort: false,
			// Bun must never show its error page, which contains source code.
			development: false,
		},
	})
		// This is called for every request, also for those that Bun's own router answers.
		.wrap((handle) => (request: Request) => observeRequest(request, () => respond(request, handle as unknown as Respond)))
		.onRequest(({ request, set }) => {
			Object.assign(set.headers, standardHeaders(requestIdOf(world.randomBytes)));
			// If the host header is invalid, Bun makes the URL only the path, and no handler could read its query.
			if (!URL.canParse(request.url)) throw fail("INPUT_INVALID", "the host header is not a host");
		})
		.onBeforeHandle(({ params }) => {
			// Elysia replaces a path parameter with invalid percent encoding by null.
			if (Object.values(params ?? {}).some((param) => typeof param !== "string")) throw fail("INPUT_INVALID", "the path is not properly encoded");
		})
		.onError(({ error, code, request, set }) => {
			const requestId = String(set.headers[requestIdHeader]);
			if (code !== "NOT_FOUND") return answerFailed(error, request, requestId);
			const missing = missingRoute(request.method, new URL(request.url).pathname, shown);
			// Every GET route also handles HEAD.
			if (missing.allowed.length > 0) set.headers["allow"] = missing.allowed.join(", ").replace("GET", "GET, HEAD");
			return errorResponse(missing.error, requestId);
		});
	for (const operation of operations) {
		const act = enforce(operation);
		const handle: typeof act = (routed) => {
			const context = currentContext();
			if (context !== null) context.route ??= operation.path;
			// Otherwise Bun closes a connection without traffic after half a minute.
			if (operation.hasNoTimeout === true) app.server?.timeout(routed.request, 0);
			// As in bodies: what is added as `a%00b` is stored, and found, as `ab`.
			return act({ ...routed, params: cleanTexts(routed.params) as typeof routed.params });
		};
		// Each route reads its body itself. The properties are named here because Elysia reads the source of this function to find out which ones it uses.
		app.route(operation.method, operation.path, ({ request, params, set }) => handle({ request, params, set }), { parse: "none" });
	}
	return Object.assign(app, { operations: operations as readonly Operation[] });
}

/** The response to a request for a host that is not ours, or from a page that may not ask; null for all others. */
function refusalOf(request: Request, demandKnownHost: DemandKnownHost, randomBytes: World["randomBytes"]): Response | null {
	try {
		demandKnownHost(request);
		return null;
	} catch (thrown) {
		const headers = standardHeaders(requestIdOf(randomBytes));
		const response = errorResponse(thrown, String(headers[requestIdHeader]));
		for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
		return response;
	}
}

function answerError(thrown: unknown, request: Request, requestId: string, world: World): Response {
	const status = statusFor(thrown);
	// Status 501 is no failure of the server, and damage of the storage was logged when it was found.
	if (status >= 500 && status !== 501 && asServiceError(thrown).code !== "STORAGE_DAMAGED") {
		const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
		world.log("error", "a request failed", {
			requestId,
			method: request.method,
			path: new URL(request.url).pathname,
			cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
		});
	}
	return errorResponse(thrown, requestId);
}
