#!/usr/bin/env node
console.log('tscodex-ws');
