
2Ph@â"*abProfileChunkdata
9P@
Z3X²v8ºProfile2P0"RdataJ{"startTime": 100}
úP@ÈZòX²v8P2P0"àJÛ{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},{"id":2,"parent":1,"callFrame":{"functionName":"f","url":"http://x/y.js","lineNumber":3}},{"id":3,"parent":2,"callFrame":{"functionName":"g","url":"http://x/y.js","lineNumber":9}},{"id":9,"parent":77,"callFrame":{"functionName":"lost"}}],"samples":[3,2]},"timeDeltas":[10,20]}
OP@¬ZHX²v8P2P0"7J3{"cpuProfile":{"samples":[1,9]},"timeDeltas":[5,5]}
P@¶ZxX²v8P2P0"gJc{"cpuProfile":{"nodes":[{"id":1,"callFrame":{"functionName":"h"}}],"samples":[1]},"timeDeltas":[5]}