// The WebAssembly module, compressed, as text: `src/engine/build` puts it there.
declare module "cc-safety-net-engine" {
  const packed: string;
  export default packed;
}
