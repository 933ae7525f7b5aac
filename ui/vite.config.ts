/** Builds the viewer into `dist/`: one page, and assets whose names contain a hash of their content. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: '/',
  build: {
    target: 'es2022',
    outDir: process.env['TRACEBRAID_UI_OUT'] ?? 'dist',
    emptyOutDir: true,
    sourcemap: false,
    license: { fileName: 'assets/licenses.md' },
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name].[hash].js',
        chunkFileNames: 'assets/[name].[hash].js',
        assetFileNames: 'assets/[name].[hash][extname]',
      },
    },
  },
  server: { port: 5173, proxy: { '/api': { target: process.env['TRACEBRAID_API'] ?? 'http://127.0.0.1:9440', ws: true } } },
  test: {
    include: ['tests/unit/**/*.test.ts', 'tests/unit/**/*.test.tsx'],
    environment: 'node', // files that need a document say so in their first line
    testTimeout: 60_000, // machines that build something else are slow
    coverage: { include: ['src/**'], reporter: ['text-summary', 'text'] },
  },
});
