import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// It serves plain http behind `npx tollgate local-https 4443 --to 3001`.
export default defineConfig({ plugins: [react()] });
