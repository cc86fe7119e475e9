declare module "*.sql" {
	const text: string;
	export default text;
}

declare module "*.css";

/** Two files of the package that have no types: one step of the layout, which changes the tables, and its settings. */
declare module "graphology-layout-forceatlas2/iterate" {
	export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): void;
}
declare module "graphology-layout-forceatlas2/defaults" {
	const defaults: Readonly<Record<string, unknown>>;
	export default defaults;
}
